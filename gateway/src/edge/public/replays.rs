//! Replays: a request line that was answered before gets the same head and the same bytes without passing
//! the layers and routes, as long as a handler would find its answer fresh.

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
use metrics::Histogram;
use moka::sync::Cache;

use super::{
    answer::Variant,
    encoding::{Effort, Encoding},
    entry::Entry,
    improver::Improver,
    key::CacheKey,
};
use crate::edge::request_scope::{self, REQUEST_ID};

/// Request lines that are remembered. Clients can invent lines; those that are used most often stay.
const MAX_LINES: u64 = 4_096;
/// A longer line, in bytes, always passes the routes.
const MAX_LINE_BYTES: usize = 512;

/// Marks a response as a public answer: it depends on the request's line, accepted encodings and known
/// tags, and on nothing else. It is already encoded for its client, and its head can be replayed with all
/// that the layers around its handler have added.
#[derive(Debug, Clone)]
pub(crate) struct Public {
    pub(super) entry: Arc<Entry>,
    pub(super) key: CacheKey,
    pub(super) variant: Variant,
    pub(super) route: Option<MatchedPath>,
}

/// The request lines that were answered, and their responses.
#[derive(Clone)]
pub(super) struct Replays {
    lines: Cache<Arc<str>, Arc<Remembered>>,
    improver: Improver,
}

struct Remembered {
    entry: Weak<Entry>,
    key: CacheKey,
    /// By encoding and effort, in the orders of their `ALL`: the head of the whole answer, and of a 304.
    heads: [[[OnceLock<Box<Head>>; 2]; Effort::ALL.len()]; Encoding::ALL.len()],
}

struct Head {
    status: StatusCode,
    headers: HeaderMap,
    route: Arc<str>,
    duration: Histogram,
}

/// A response that was sent before.
pub(crate) struct Replay {
    pub(crate) response: Response,
    pub(crate) route: Arc<str>,
    /// Measures the answers of this route and status.
    pub(crate) duration: Histogram,
}

impl Replays {
    pub(super) fn new(improver: Improver) -> Self {
        Self {
            lines: Cache::new(MAX_LINES),
            improver,
        }
    }

    /// The response to a `GET` of this line, if it was answered before and its answer is still fresh.
    pub(super) fn find(
        &self,
        line: &PathAndQuery,
        headers: &HeaderMap,
        is_fresh: impl FnOnce(Arc<Entry>, &CacheKey) -> bool,
    ) -> Option<Replay> {
        let remembered = self.lines.get(line.as_str())?;
        let entry = remembered.entry.upgrade()?;
        if !is_fresh(Arc::clone(&entry), &remembered.key) {
            return None;
        }
        let encoding = Encoding::wanted(headers);
        let answer = &entry.answer;
        let known = headers
            .get(IF_NONE_MATCH)
            .and_then(|known| answer.known(known, encoding));
        let variant = known.unwrap_or_else(|| answer.current(encoding));
        let head = remembered.head(variant, known.is_some()).get()?;
        let mut response = if known.is_some() {
            Body::empty()
        } else {
            let bytes = answer.encoded(variant)?;
            self.improver.note_served(answer, variant);
            Body::from(bytes)
        }
        .into_response();
        *response.status_mut() = head.status;
        *response.headers_mut() = head.headers.clone();
        Some(Replay {
            response,
            route: Arc::clone(&head.route),
            duration: head.duration.clone(),
        })
    }

    /// Remembers the response to a `GET` of this line, if it is a public answer.
    pub(super) fn remember(&self, line: &PathAndQuery, response: &Response) {
        // A cookie belongs to one client, whichever layer has set it.
        let is_for_all = !response.headers().contains_key(SET_COOKIE);
        let public = response.extensions().get::<Public>();
        let public = public.filter(|_| is_for_all && line.as_str().len() <= MAX_LINE_BYTES);
        let Some(public) = public else {
            return;
        };
        let entry = Arc::downgrade(&public.entry);
        let last = self.lines.get(line.as_str());
        let remembered = last
            .filter(|last| last.entry.ptr_eq(&entry))
            .unwrap_or_else(|| {
                let remembered = Arc::new(Remembered {
                    entry,
                    key: public.key.clone(),
                    heads: Default::default(),
                });
                self.lines
                    .insert(line.as_str().into(), Arc::clone(&remembered));
                remembered
            });
        let is_known = response.status() == StatusCode::NOT_MODIFIED;
        remembered
            .head(public.variant, is_known)
            .get_or_init(|| Box::new(Head::new(response, public.route.as_ref())));
    }
}

impl Remembered {
    fn head(&self, variant: Variant, is_known: bool) -> &OnceLock<Box<Head>> {
        let Variant { encoding, effort } = variant;
        &self.heads[encoding.index()][effort.index()][usize::from(is_known)]
    }
}

impl Head {
    /// All headers but those that each response has for itself.
    fn new(response: &Response, route: Option<&MatchedPath>) -> Self {
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
