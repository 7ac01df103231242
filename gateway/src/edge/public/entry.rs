//! Cached public answers and their freshness.

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

/// How long an answer may be served while recomputation fails (RFC 5861, `stale-if-error`).
const STALE_IF_ERROR: TimeDelta = TimeDelta::hours(24);
/// Pause after a failed recomputation.
const RETRY_PAUSE: TimeDelta = TimeDelta::seconds(2);
/// For this long after a failed recomputation, requests do not wait for a new one.
const NO_WAIT_AFTER_FAILURE: TimeDelta = TimeDelta::seconds(60);

/// A cached answer.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) answer: Arc<Answer>,
    pub(super) freshness: Freshness,
    computed_at: DateTime<Utc>,
    /// When the answer's content changes by itself.
    valid_until: Option<DateTime<Utc>>,
    version: Version,
    /// Time of the last failed recomputation, in milliseconds since 1970; 0 if none.
    failed_at: AtomicI64,
}

/// The result of a cache look-up.
#[derive(Debug)]
pub(super) enum Lookup {
    /// The cached answer is current.
    Fresh(Arc<Entry>),
    /// The cached answer may be served; `true` if a recomputation is due.
    Stale(Arc<Entry>, bool),
    /// The cached answer may be served only if recomputation fails.
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

    /// Determines whether and how the answer may be served now.
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
