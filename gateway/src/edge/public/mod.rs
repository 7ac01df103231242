//! Public answers: alike for everyone, so they are kept here, encoded, and may be kept by anyone, under
//! a strong tag. What is asked for is computed once, however many ask; what has aged is served while
//! it is computed anew; what the bus says has changed is dropped.

mod address;
mod answer;
mod asked;
mod catalogue;
mod encoding;
mod flights;
mod made;
mod shortcuts;

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use chassis::{
    cache::SharedCache, clock::SharedClock, digest, error::Fault, instant, lifecycle::Lifecycle,
};
use chrono::{DateTime, TimeDelta, Utc};
use http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, VARY},
};
use moka::sync::Cache;

pub(crate) use self::{
    address::{Address, Tag},
    asked::Asked,
    encoding::relax,
    made::Made,
    shortcuts::{Again, Public},
};
use self::{
    address::{Changes, Since, Standing},
    answer::{Answer, names},
    flights::{Flight, Flights, Outcome},
    made::Content,
    shortcuts::Shortcuts,
};
use super::error::ApiError;

/// How long an answer may be served after it was computed where nothing newer can be had.
const SPARE: TimeDelta = TimeDelta::hours(24);
/// After a vain try to compute an answer anew, the next is made so much later …
const PAUSE: TimeDelta = TimeDelta::seconds(2);
/// … and until so much later nobody waits for it.
const DESPAIR: TimeDelta = TimeDelta::seconds(60);
/// How long the replicas agree on the instant of a content that none of them remembers.
const INSTANTS_LIVE: std::time::Duration = std::time::Duration::from_hours(24);
/// The shared cache is asked for no longer than this: an answer does without it.
const CACHE_PATIENCE: std::time::Duration = std::time::Duration::from_millis(200);

/// How fast an answer ages though nothing is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ageing {
    /// Only by changes that the bus has not told of.
    Usual,
    /// By the hour: what is on now.
    Passing,
}

impl Ageing {
    /// It is served as it is for so long.
    fn fresh(self) -> TimeDelta {
        TimeDelta::seconds(match self {
            Self::Usual => 60,
            Self::Passing => 10,
        })
    }

    /// It is served for so long further, while it is computed anew.
    fn stale(self) -> TimeDelta {
        TimeDelta::seconds(match self {
            Self::Usual => 600,
            Self::Passing => 50,
        })
    }

    /// What others may do (HTTP API, "public answers").
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Usual => "public, max-age=0, s-maxage=60, stale-while-revalidate=600",
            Self::Passing => "public, max-age=0, s-maxage=10, stale-while-revalidate=50",
        })
    }
}

/// An answer as it is kept.
#[derive(Debug)]
struct Kept {
    answer: Arc<Answer>,
    ageing: Ageing,
    computed: DateTime<Utc>,
    until: Option<DateTime<Utc>>,
    standing: Standing,
    /// The last vain try to compute it anew, in milliseconds since 1970; 0 where there was none.
    failed: AtomicI64,
}

/// What is found at an address.
#[derive(Debug)]
enum Look {
    /// It is as it would be if it were computed now.
    Fresh(Arc<Kept>),
    /// It will do, while it is computed anew where that is due.
    Stale(Arc<Kept>, bool),
    /// It will do if it cannot be computed anew.
    Spare(Arc<Kept>),
    Nothing,
}

/// Makes public answers and keeps them. A revalidation that finds the same content keeps the bytes,
/// `server_time` included, and so the tag. Replicas take the instant of the first of them that found
/// the content, by the shared cache, so that one's tag is the other's.
#[derive(Clone)]
pub(crate) struct PublicAnswers {
    clock: SharedClock,
    shared: SharedCache,
    life: Lifecycle,
    kept: Cache<Arc<str>, Arc<Kept>>,
    flights: Flights,
    changes: Arc<Changes>,
    shortcuts: Shortcuts,
}

impl PublicAnswers {
    pub(crate) fn new(
        clock: SharedClock,
        shared: SharedCache,
        life: Lifecycle,
        max_bytes: u64,
    ) -> Self {
        let kept = Cache::builder()
            .max_capacity(max_bytes)
            .weigher(|key: &Arc<str>, kept: &Arc<Kept>| {
                let weight = key.len() + size_of::<Kept>() + kept.answer.weight();
                u32::try_from(weight).unwrap_or(u32::MAX)
            })
            .build();
        Self {
            clock,
            shared,
            life,
            kept,
            flights: Flights::default(),
            changes: Arc::default(),
            shortcuts: Shortcuts::default(),
        }
    }

    /// Answers a request with content that is the same for everyone; `server_time` is added to it.
    /// The content is computed where it is not kept, and of the request it knows the address alone.
    pub(crate) async fn serve<F>(
        &self,
        asked: &Asked,
        address: Address,
        ageing: Ageing,
        compute: impl FnOnce() -> F + Send + 'static,
    ) -> Result<Response, ApiError>
    where
        F: Future<Output = Result<Made, ApiError>> + Send + 'static,
    {
        let place = address.clone();
        let kept = match self.look(&address) {
            Look::Fresh(kept) => {
                count("hit");
                kept
            }
            Look::Stale(kept, is_due) => {
                count("stale");
                if is_due {
                    // The request does not wait for it, nor is it part of its trace.
                    let span =
                        tracing::info_span!(parent: None, "revalidate", address = &*address.text);
                    drop(span.in_scope(|| self.fly(address, ageing, compute())));
                }
                kept
            }
            Look::Spare(kept) => match self.fly(address, ageing, compute()).0.await {
                Err(error) if error.status().is_server_error() => {
                    count("stale");
                    kept
                }
                outcome => {
                    count("miss");
                    outcome?
                }
            },
            Look::Nothing => {
                let (flight, has_joined) = self.fly(address, ageing, compute());
                count(if has_joined { "joined" } else { "miss" });
                flight.await?
            }
        };
        Ok(respond(asked, place, kept).await)
    }

    fn look(&self, address: &Address) -> Look {
        self.kept
            .get(&address.text)
            .map_or(Look::Nothing, |kept| self.judge(kept, address))
    }

    /// Whether nothing would come of computing it anew.
    fn is_fresh(&self, kept: &Arc<Kept>, address: &Address) -> bool {
        matches!(self.judge(Arc::clone(kept), address), Look::Fresh(_))
    }

    fn judge(&self, kept: Arc<Kept>, address: &Address) -> Look {
        let now = self.clock.now();
        let age = now - kept.computed;
        let since = self.changes.since(&kept.standing, address);
        if since == Since::Changed || age > SPARE {
            return Look::Nothing;
        }
        let is_over = kept.until.is_some_and(|until| until <= now);
        let is_good = since == Since::Unchanged && !is_over;
        if is_good && age <= kept.ageing.fresh() {
            return Look::Fresh(kept);
        }
        let failed = kept.failed.load(Ordering::Relaxed);
        let is_within = |time: TimeDelta| now.timestamp_millis() - failed < time.num_milliseconds();
        if is_good && age <= kept.ageing.fresh() + kept.ageing.stale() || is_within(DESPAIR) {
            let is_due = !is_within(PAUSE);
            return Look::Stale(kept, is_due);
        }
        Look::Spare(kept)
    }

    /// Computes the answer, or joins those for whom it is being computed.
    fn fly(
        &self,
        address: Address,
        ageing: Ageing,
        compute: impl Future<Output = Result<Made, ApiError>> + Send + 'static,
    ) -> (Flight, bool) {
        let standing = self.changes.standing(&address);
        let text = Arc::clone(&address.text);
        let computing = self
            .clone()
            .compute(address, ageing, standing.clone(), compute);
        self.flights.join(&self.life, &text, standing, computing)
    }

    async fn compute(
        self,
        address: Address,
        ageing: Ageing,
        standing: Standing,
        compute: impl Future<Output = Result<Made, ApiError>> + Send,
    ) -> Outcome {
        let computed = self.clock.now();
        let made = match compute.await {
            Ok(made) => made,
            Err(error) => {
                self.note_failure(&address, &error);
                return Err(error);
            }
        };
        let kept = Arc::new(Kept {
            answer: self.answer(&address, made.content).await,
            ageing,
            computed,
            until: made.until.filter(|until| *until > computed),
            standing,
            failed: AtomicI64::new(0),
        });
        // What changed meanwhile is for those who have asked before, and for nobody after.
        if self.changes.since(&kept.standing, &address) != Since::Changed {
            self.kept.insert(address.text, Arc::clone(&kept));
            self.measure();
        }
        Ok(kept)
    }

    fn note_failure(&self, address: &Address, error: &ApiError) {
        if !error.status().is_server_error() {
            self.kept.invalidate(&address.text);
        } else if let Some(kept) = self.kept.get(&address.text) {
            let now = self.clock.now().timestamp_millis();
            kept.failed.store(now, Ordering::Relaxed);
        }
    }

    /// The bytes of a content; those that are kept, where it is the same.
    async fn answer(&self, address: &Address, content: Content) -> Arc<Answer> {
        let digest = content.digest();
        let last = self.kept.get(&address.text);
        if let Some(last) = last.filter(|last| last.answer.content == digest) {
            return Arc::clone(&last.answer);
        }
        let instant = self.instant(&address.text, digest).await;
        let (text, form) = content.dated(instant);
        Arc::new(Answer::new(digest, Bytes::from(text), form))
    }

    /// When this content was first found at this address, by any replica.
    async fn instant(&self, address: &str, content: [u8; 32]) -> DateTime<Utc> {
        let now = self.clock.now();
        let key = digest::hex([address.as_bytes(), &content].concat(), 16);
        let key = format!("public:{key}");
        let ask = async {
            let ours = Bytes::from(instant::to_rfc3339(now));
            if self.shared.set_if_absent(&key, ours, INSTANTS_LIVE).await? {
                return Ok(None);
            }
            self.shared.get(&key).await
        };
        match tokio::time::timeout(CACHE_PATIENCE, ask).await {
            Ok(Ok(Some(first))) => std::str::from_utf8(&first)
                .ok()
                .and_then(instant::from_rfc3339)
                .unwrap_or(now),
            Ok(Err::<_, Fault>(error)) => {
                tracing::debug!(%error, "the instant of an answer is this replica's alone");
                now
            }
            Ok(Ok(None)) | Err(_) => now,
        }
    }

    fn measure(&self) {
        self.kept.run_pending_tasks();
        let told = |number| u32::try_from(number).map_or(f64::from(u32::MAX), f64::from);
        metrics::gauge!("gateway_cache_bytes").set(told(self.kept.weighted_size()));
        metrics::gauge!("gateway_cache_entries").set(told(self.kept.entry_count()));
    }
}

fn count(outcome: &'static str) {
    outcomes(outcome).increment(1);
}

fn outcomes(outcome: &'static str) -> metrics::Counter {
    metrics::counter!("gateway_cache_requests_total", "outcome" => outcome)
}

async fn respond(asked: &Asked, address: Address, kept: Arc<Kept>) -> Response {
    let answer = &kept.answer;
    let tag = answer.tag(asked.encoding);
    let is_known = asked.known.as_ref().is_some_and(|known| names(known, tag));
    let (encoding, mut response) = if is_known {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().insert(ETAG, tag.clone());
        (asked.encoding, response)
    } else {
        let (encoding, body) = answer.body(asked.encoding).await;
        let mut response = Response::new(Body::from(body));
        let headers = response.headers_mut();
        answer.form().write(headers);
        headers.insert(ETAG, answer.tag(encoding).clone());
        if let Some(name) = encoding.header() {
            headers.insert(CONTENT_ENCODING, name);
        }
        (encoding, response)
    };
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, kept.ageing.header());
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    response.extensions_mut().insert(Public {
        kept,
        address,
        encoding,
        route: asked.route.clone(),
    });
    response
}

#[cfg(test)]
mod tests;
