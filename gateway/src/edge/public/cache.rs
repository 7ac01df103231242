//! The cache of public responses.

use std::sync::Arc;

use axum::{body::Body, extract::MatchedPath, response::Response};
use bytes::Bytes;
use chassis::{cache::SharedCache, clock::SharedClock, lifecycle::Lifecycle};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, VARY},
    uri::PathAndQuery,
};
use metrics::Counter;
use moka::sync::Cache;

use super::{
    absent::Absent,
    answer::Answer,
    changes::{Changes, Difference, Version},
    content::{self, Content},
    entry::{Entry, Lookup},
    flights::{Flight, Flights, Outcome},
    freshness::Freshness,
    improver::Improver,
    instants::Instants,
    key::CacheKey,
    replays::{Public, Replay, Replays},
    request::PublicRequest,
};
use crate::edge::{error::ApiError, limits::Limits};

/// Computes and caches public responses. A recomputation with the same content keeps the bytes, including
/// `server_time`, and therefore the `ETag`. Replicas share the time at which the content was first found, so that their
/// `ETag`s are equal, except for responses to typed queries.
#[derive(Clone)]
pub(crate) struct PublicCache {
    clock: SharedClock,
    instants: Instants,
    limits: Limits,
    life: Lifecycle,
    pub(super) entries: Cache<Arc<str>, Arc<Entry>>,
    absent: Absent,
    flights: Flights,
    pub(super) changes: Arc<Changes>,
    replays: Replays,
    improver: Improver,
    hits: Counter,
}

impl PublicCache {
    pub(crate) fn new(
        clock: SharedClock,
        shared: SharedCache,
        limits: Limits,
        life: Lifecycle,
        max_bytes: u64,
    ) -> Self {
        let entries = Cache::builder()
            .max_capacity(max_bytes)
            .weigher(|key: &Arc<str>, entry: &Arc<Entry>| {
                let weight = key.len() + size_of::<Entry>() + entry.answer.weight();
                u32::try_from(weight).unwrap_or(u32::MAX)
            })
            .build();
        let improver = Improver::start(&life);
        Self {
            clock,
            instants: Instants::new(shared),
            limits,
            life,
            entries,
            absent: Absent::default(),
            flights: Flights::default(),
            changes: Arc::default(),
            replays: Replays::new(improver.clone()),
            improver,
            hits: outcomes("hit"),
        }
    }

    /// Responds with content that is the same for everyone. Content that is not cached is computed from the key alone;
    /// JSON objects receive a `server_time`.
    pub(crate) async fn serve<F>(
        &self,
        request: &PublicRequest,
        key: CacheKey,
        freshness: Freshness,
        compute: impl FnOnce() -> F + Send + 'static,
    ) -> Result<Response, ApiError>
    where
        F: Future<Output = Result<Content, ApiError>> + Send + 'static,
    {
        let for_response = key.clone();
        let entry = match self.look_up(&key) {
            Lookup::Fresh(entry) => {
                self.hits.increment(1);
                entry
            }
            Lookup::Stale(entry, is_due) => {
                count("stale");
                if is_due {
                    // The request does not wait for this task, so its trace does not include it.
                    let route = request.route.as_ref().map(MatchedPath::as_str);
                    let span = tracing::info_span!(parent: None, "revalidate", route);
                    drop(span.in_scope(|| self.fly(key, freshness, compute())));
                }
                entry
            }
            Lookup::StaleIfError(entry) => {
                self.count_computation(request).await?;
                let (flight, _) = self.fly(key, freshness, compute());
                match flight.await {
                    Err(error) if error.status().is_server_error() => {
                        count("stale");
                        entry
                    }
                    outcome => {
                        count("miss");
                        outcome?
                    }
                }
            }
            Lookup::Missing => {
                if let Some(error) = self.absent.find(&key, &self.changes, self.clock.now()) {
                    count("absent");
                    return Err(error);
                }
                self.count_computation(request).await?;
                let (flight, has_joined) = self.fly(key, freshness, compute());
                count(if has_joined { "joined" } else { "miss" });
                flight.await?
            }
        };
        Ok(self.respond(request, for_response, entry).await)
    }

    /// Counts a computation for the request's client; 429 if the limit is exceeded.
    async fn count_computation(&self, request: &PublicRequest) -> Result<(), ApiError> {
        match &request.client {
            Some(client) => client.pass_to_compute(&self.limits, request.limit, 1).await,
            None => Ok(()),
        }
    }

    /// Returns the cached response to a `GET` of this request line if it is still fresh.
    pub(crate) fn replay(&self, line: &PathAndQuery, headers: &HeaderMap) -> Option<Replay> {
        let replay = self.replays.find(line, headers, |entry, key| {
            // Counts as a use, so that a flood of other requests does not evict the most requested answers.
            drop(self.entries.get(&key.text));
            let lookup = entry.look_up(key, &self.changes, self.clock.now());
            matches!(lookup, Lookup::Fresh(_))
        })?;
        self.hits.increment(1);
        Some(replay)
    }

    /// Caches the response to a `GET` of this request line if it is public.
    pub(crate) fn remember(&self, line: &PathAndQuery, response: &Response) {
        self.replays.remember(line, response);
    }

    pub(super) fn look_up(&self, key: &CacheKey) -> Lookup {
        self.entries
            .get(&key.text)
            .map_or(Lookup::Missing, |entry| {
                entry.look_up(key, &self.changes, self.clock.now())
            })
    }

    /// Starts the computation or joins a running one. Returns whether it joined.
    fn fly(
        &self,
        key: CacheKey,
        freshness: Freshness,
        compute: impl Future<Output = Result<Content, ApiError>> + Send + 'static,
    ) -> (Flight, bool) {
        let version = self.changes.version(&key);
        let text = Arc::clone(&key.text);
        let computing = self
            .clone()
            .compute(key, freshness, version.clone(), compute);
        self.flights.join(&self.life, &text, version, computing)
    }

    async fn compute(
        self,
        key: CacheKey,
        freshness: Freshness,
        version: Version,
        compute: impl Future<Output = Result<Content, ApiError>> + Send,
    ) -> Outcome {
        // Another flight may have ended between the look-up and the start of this flight.
        if let Lookup::Fresh(entry) = self.look_up(&key) {
            return Ok(entry);
        }
        let computed_at = self.clock.now();
        let content = match compute.await {
            Ok(content) => content,
            Err(error) => {
                self.note_failure(&key, &error);
                self.absent.remember(&key, &error, computed_at, version);
                return Err(error);
            }
        };
        let answer = self.answer(&key, freshness, content.body).await;
        let has_changed = self.changes.since(&version, &key) == Difference::Changed;
        let valid_until = content.valid_until;
        let entry = Entry::new(answer, freshness, computed_at, valid_until, version);
        let entry = Arc::new(entry);
        // If something changed during the computation, only the waiting requests receive the result.
        if !has_changed {
            self.entries.insert(key.text, Arc::clone(&entry));
            self.measure();
        }
        Ok(entry)
    }

    fn note_failure(&self, key: &CacheKey, error: &ApiError) {
        if !error.status().is_server_error() {
            self.entries.invalidate(&key.text);
        } else if let Some(entry) = self.entries.get(&key.text) {
            entry.note_failure(self.clock.now());
        }
    }

    /// Builds the answer for this content, or returns the cached answer if the content is the same.
    async fn answer(
        &self,
        key: &CacheKey,
        freshness: Freshness,
        body: content::Body,
    ) -> Arc<Answer> {
        let digest = body.digest();
        let last = self.entries.get(&key.text);
        if let Some(last) = last.filter(|last| last.answer.content == digest) {
            return Arc::clone(&last.answer);
        }
        let now = self.clock.now();
        let instant = if freshness.is_agreed() {
            self.instants.first(&key.text, digest, now).await
        } else {
            now
        };
        let (text, form) = body.dated(instant);
        Arc::new(Answer::new(digest, Bytes::from(text), form))
    }

    async fn respond(&self, request: &PublicRequest, key: CacheKey, entry: Arc<Entry>) -> Response {
        let answer = &entry.answer;
        let known = request
            .if_none_match
            .as_ref()
            .and_then(|known| answer.known(known, request.encoding));
        let (variant, mut response) = if let Some(known) = known {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            (known, response)
        } else {
            let (variant, body) = answer.body(request.encoding).await;
            self.improver.note_served(answer, variant);
            let mut response = Response::new(Body::from(body));
            let headers = response.headers_mut();
            answer.form().write(headers);
            if let Some(name) = variant.encoding.header() {
                headers.insert(CONTENT_ENCODING, name);
            }
            (variant, response)
        };
        let headers = response.headers_mut();
        headers.insert(ETAG, answer.tag(variant).clone());
        headers.insert(CACHE_CONTROL, entry.freshness.header());
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        response.extensions_mut().insert(Public {
            entry,
            key,
            variant,
            route: request.route.clone(),
        });
        response
    }

    fn measure(&self) {
        self.entries.run_pending_tasks();
        let gauge = |number| u32::try_from(number).map_or(f64::from(u32::MAX), f64::from);
        metrics::gauge!("gateway_cache_bytes").set(gauge(self.entries.weighted_size()));
        metrics::gauge!("gateway_cache_entries").set(gauge(self.entries.entry_count()));
    }
}

fn count(outcome: &'static str) {
    outcomes(outcome).increment(1);
}

fn outcomes(outcome: &'static str) -> Counter {
    metrics::counter!("gateway_cache_requests_total", "outcome" => outcome)
}
