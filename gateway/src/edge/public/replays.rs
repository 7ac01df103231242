//! Replays: a repeated request line receives the same head and bytes without passing through the layers and routes, as
//! long as the cached answer is fresh.

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

/// Maximum number of cached request lines. Clients can invent lines; the most frequently used lines are kept.
const MAX_LINES: u64 = 4_096;
/// Longer lines, in bytes, are not cached.
const MAX_LINE_BYTES: usize = 512;

/// Marks a response as public: it depends only on the request line, the accepted encodings and `If-None-Match`. It is
/// already encoded for its client, and its head can be replayed with all headers that the surrounding layers have
/// added.
#[derive(Debug, Clone)]
pub(crate) struct Public {
    pub(super) entry: Arc<Entry>,
    pub(super) key: CacheKey,
    pub(super) variant: Variant,
    pub(super) route: Option<MatchedPath>,
}

/// Cached request lines and their responses.
#[derive(Clone)]
pub(super) struct Replays {
    lines: Cache<Arc<str>, Arc<Remembered>>,
    improver: Improver,
}

struct Remembered {
    entry: Weak<Entry>,
    key: CacheKey,
    /// Heads of the complete response and of a 304, by encoding and effort, in the orders of their `ALL`.
    heads: [[[OnceLock<Box<Head>>; 2]; Effort::ALL.len()]; Encoding::ALL.len()],
}

struct Head {
    status: StatusCode,
    headers: HeaderMap,
    route: Arc<str>,
    duration: Histogram,
}

/// A replayed response.
pub(crate) struct Replay {
    pub(crate) response: Response,
    pub(crate) route: Arc<str>,
    /// Measures the responses of this route and status.
    pub(crate) duration: Histogram,
}

impl Replays {
    pub(super) fn new(improver: Improver) -> Self {
        Self {
            lines: Cache::new(MAX_LINES),
            improver,
        }
    }

    /// Returns the response to a `GET` of this request line if it is cached and still fresh.
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

    /// Caches the response to a `GET` of this request line if it is public.
    pub(super) fn remember(&self, line: &PathAndQuery, response: &Response) {
        // A cookie belongs to one client, regardless of the layer that set it.
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
    /// Stores all headers except those that differ between responses.
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
