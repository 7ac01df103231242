//! A public answer in the cache, and when it may be served.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};

use super::{
    answer::Answer,
    changes::{Changes, Difference, Version},
    freshness::Freshness,
    key::CacheKey,
};

/// The longest time for which an answer is served because no newer one can be computed (RFC 5861,
/// `stale-if-error`).
const STALE_IF_ERROR: TimeDelta = TimeDelta::hours(24);
/// The pause between a failed recomputation and the next.
const RETRY_PAUSE: TimeDelta = TimeDelta::seconds(2);
/// After a failed recomputation no request waits for another one for this long.
const NO_WAIT_AFTER_FAILURE: TimeDelta = TimeDelta::seconds(60);

/// A cached answer.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) answer: Arc<Answer>,
    pub(super) freshness: Freshness,
    computed_at: DateTime<Utc>,
    /// The instant at which its content changes by itself.
    valid_until: Option<DateTime<Utc>>,
    version: Version,
    /// The last failed recomputation, in milliseconds since 1970; 0 if there was none.
    failed_at: AtomicI64,
}

/// The result of looking an answer up.
#[derive(Debug)]
pub(super) enum Lookup {
    /// Recomputing it would change nothing.
    Fresh(Arc<Entry>),
    /// It may be served; `true` if a recomputation is due.
    Stale(Arc<Entry>, bool),
    /// It may be served only if a recomputation fails.
    StaleIfError(Arc<Entry>),
    Missing,
}

impl Entry {
    pub(super) fn new(
        answer: Arc<Answer>,
        freshness: Freshness,
        computed_at: DateTime<Utc>,
        valid_until: Option<DateTime<Utc>>,
        version: Version,
    ) -> Self {
        Self {
            answer,
            freshness,
            computed_at,
            valid_until: valid_until.filter(|until| *until > computed_at),
            version,
            failed_at: AtomicI64::new(0),
        }
    }

    pub(super) fn note_failure(&self, now: DateTime<Utc>) {
        let now = now.timestamp_millis();
        self.failed_at.store(now, Ordering::Relaxed);
    }

    /// Whether and how it may be served now.
    pub(super) fn look_up(
        self: Arc<Self>,
        key: &CacheKey,
        changes: &Changes,
        now: DateTime<Utc>,
    ) -> Lookup {
        let age = now - self.computed_at;
        let difference = changes.since(&self.version, key);
        if difference == Difference::Changed || age > STALE_IF_ERROR {
            return Lookup::Missing;
        }
        let has_expired = self.valid_until.is_some_and(|until| until <= now);
        let is_valid = difference == Difference::Unchanged && !has_expired;
        let fresh = self.freshness.fresh();
        if is_valid && age <= fresh {
            return Lookup::Fresh(self);
        }
        let failed_at = self.failed_at.load(Ordering::Relaxed);
        let failed_within =
            |time: TimeDelta| now.timestamp_millis() - failed_at < time.num_milliseconds();
        let is_stale = is_valid && age <= fresh + self.freshness.stale();
        if is_stale || failed_within(NO_WAIT_AFTER_FAILURE) {
            let is_due = !failed_within(RETRY_PAUSE);
            return Lookup::Stale(self, is_due);
        }
        Lookup::StaleIfError(self)
    }
}
