//! The way past the routes: who asks in the same words as somebody before gets the same head and the
//! same bytes, as long as a handler would find its answer fresh.

use std::sync::{Arc, OnceLock, Weak};

use axum::{
    body::Body,
    extract::MatchedPath,
    response::{IntoResponse, Response},
};
use http::{
    HeaderMap, Method, StatusCode,
    header::{IF_NONE_MATCH, SET_COOKIE},
    uri::PathAndQuery,
};
use metrics::{Counter, Histogram};
use moka::sync::Cache;

use super::{Kept, PublicAnswers, address::Address, answer::names, encoding::Encoding, outcomes};
use crate::edge::request_scope::{self, REQUEST_ID};

/// Lines that are known. What clients add to an address makes lines of its own; those that are asked for
/// most often stay.
const LINES: u64 = 4_096;
/// A longer line, in bytes, always goes through the routes.
const LONGEST_LINE: usize = 512;

/// Marks a response as a public answer: of its request it depends on the line, on the encodings that are
/// read and on the tags that are known, and on nothing else. So it is encoded as its client wants it, and
/// what the layers around its handler made of it can be given again.
#[derive(Debug, Clone)]
pub(crate) struct Public {
    pub(super) kept: Arc<Kept>,
    pub(super) address: Address,
    pub(super) encoding: Encoding,
    pub(super) route: Option<MatchedPath>,
}

/// The lines of requests, and what they were answered with.
#[derive(Clone)]
pub(super) struct Shortcuts {
    lines: Cache<Arc<str>, Arc<Shortcut>>,
    hits: Counter,
}

struct Shortcut {
    kept: Weak<Kept>,
    address: Address,
    /// By encoding, in the order of [`Encoding::ALL`]: of the whole answer, and of one that is known.
    heads: [[OnceLock<Head>; 2]; Encoding::ALL.len()],
}

struct Head {
    status: StatusCode,
    headers: HeaderMap,
    route: Arc<str>,
    duration: Histogram,
}

/// An answer that was given before.
pub(crate) struct Again {
    pub(crate) response: Response,
    pub(crate) route: Arc<str>,
    /// Measures answers of this route and status.
    pub(crate) duration: Histogram,
}

impl Default for Shortcuts {
    fn default() -> Self {
        Self {
            lines: Cache::new(LINES),
            hits: outcomes("hit"),
        }
    }
}

impl PublicAnswers {
    /// The answer to a `GET` of this line, where it was given before and is still fresh.
    pub(crate) fn again(&self, line: &PathAndQuery, asked: &HeaderMap) -> Option<Again> {
        let shortcut = self.shortcuts.lines.get(line.as_str())?;
        let kept = shortcut.kept.upgrade()?;
        if !self.is_fresh(&kept, &shortcut.address) {
            return None;
        }
        let encoding = Encoding::wanted(asked);
        let tag = kept.answer.tag(encoding);
        let is_known = asked
            .get(IF_NONE_MATCH)
            .is_some_and(|known| names(known, tag));
        let head = shortcut.heads[encoding.place()][usize::from(is_known)].get()?;
        let mut response = if is_known {
            Body::empty()
        } else {
            Body::from(kept.answer.made(encoding)?)
        }
        .into_response();
        *response.status_mut() = head.status;
        *response.headers_mut() = head.headers.clone();
        self.shortcuts.hits.increment(1);
        Some(Again {
            response,
            route: Arc::clone(&head.route),
            duration: head.duration.clone(),
        })
    }

    /// Remembers how a `GET` of this line was answered, if that was with a public answer.
    pub(crate) fn remember(&self, line: &PathAndQuery, response: &Response) {
        // What is one client's is not given to another, whichever layer has put it there.
        let is_for_all = !response.headers().contains_key(SET_COOKIE);
        let public = response.extensions().get::<Public>();
        let public = public.filter(|_| is_for_all && line.as_str().len() <= LONGEST_LINE);
        let Some(public) = public else {
            return;
        };
        let lines = &self.shortcuts.lines;
        let kept = Arc::downgrade(&public.kept);
        let last = lines.get(line.as_str());
        let shortcut = last
            .filter(|last| last.kept.ptr_eq(&kept))
            .unwrap_or_else(|| {
                let shortcut = Arc::new(Shortcut {
                    kept,
                    address: public.address.clone(),
                    heads: Default::default(),
                });
                lines.insert(line.as_str().into(), Arc::clone(&shortcut));
                shortcut
            });
        let is_known = response.status() == StatusCode::NOT_MODIFIED;
        shortcut.heads[public.encoding.place()][usize::from(is_known)]
            .get_or_init(|| Head::of(response, public.route.as_ref()));
    }
}

impl Head {
    /// All that the layers have set, but for what is each response's own.
    fn of(response: &Response, route: Option<&MatchedPath>) -> Self {
        let status = response.status();
        let route = request_scope::route(route);
        let mut headers = response.headers().clone();
        headers.remove(REQUEST_ID);
        Self {
            status,
            headers,
            duration: request_scope::duration(&Method::GET, &route, status),
            route,
        }
    }
}
