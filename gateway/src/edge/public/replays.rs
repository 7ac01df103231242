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

use super::{answer::names, encoding::Encoding, entry::Entry, key::CacheKey};
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
    pub(super) encoding: Encoding,
    pub(super) route: Option<MatchedPath>,
}

/// The request lines that were answered, and their responses.
#[derive(Clone)]
pub(super) struct Replays(Cache<Arc<str>, Arc<Remembered>>);

struct Remembered {
    entry: Weak<Entry>,
    key: CacheKey,
    /// By encoding, in the order of [`Encoding::ALL`]: the head of the whole answer, and of a 304.
    heads: [[OnceLock<Head>; 2]; Encoding::ALL.len()],
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

impl Default for Replays {
    fn default() -> Self {
        Self(Cache::new(MAX_LINES))
    }
}

impl Replays {
    /// The response to a `GET` of this line, if it was answered before and its answer is still fresh.
    pub(super) fn find(
        &self,
        line: &PathAndQuery,
        headers: &HeaderMap,
        is_fresh: impl FnOnce(Arc<Entry>, &CacheKey) -> bool,
    ) -> Option<Replay> {
        let remembered = self.0.get(line.as_str())?;
        let entry = remembered.entry.upgrade()?;
        if !is_fresh(Arc::clone(&entry), &remembered.key) {
            return None;
        }
        let encoding = Encoding::wanted(headers);
        let tag = entry.answer.tag(encoding);
        let is_known = headers
            .get(IF_NONE_MATCH)
            .is_some_and(|known| names(known, tag));
        let head = remembered.heads[encoding.index()][usize::from(is_known)].get()?;
        let mut response = if is_known {
            Body::empty()
        } else {
            Body::from(entry.answer.encoded(encoding)?)
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
        let last = self.0.get(line.as_str());
        let remembered = last
            .filter(|last| last.entry.ptr_eq(&entry))
            .unwrap_or_else(|| {
                let remembered = Arc::new(Remembered {
                    entry,
                    key: public.key.clone(),
                    heads: Default::default(),
                });
                self.0.insert(line.as_str().into(), Arc::clone(&remembered));
                remembered
            });
        let is_known = response.status() == StatusCode::NOT_MODIFIED;
        remembered.heads[public.encoding.index()][usize::from(is_known)]
            .get_or_init(|| Head::new(response, public.route.as_ref()));
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
