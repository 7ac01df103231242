//! Caches 404 responses for a few seconds, so that repeated requests for missing resources cost no queries.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use moka::sync::Cache;

use super::{
    changes::{Changes, Difference, Version},
    key::CacheKey,
};
use crate::edge::error::ApiError;

/// How long a 404 is cached, and so how late a change that the bus does not report takes effect.
const KEPT_FOR: TimeDelta = TimeDelta::seconds(5);
/// Maximum memory for cached 404 responses, as clients can invent any number of paths.
const MAX_BYTES: u64 = 4 << 20;

/// 404 responses by cache key.
#[derive(Clone)]
pub(super) struct Absent(Cache<Arc<str>, Arc<Remembered>>);

struct Remembered {
    error: ApiError,
    asked_at: DateTime<Utc>,
    version: Version,
}

impl Default for Absent {
    fn default() -> Self {
        let cache = Cache::builder().max_capacity(MAX_BYTES).weigher(
            |key: &Arc<str>, _: &Arc<Remembered>| {
                u32::try_from(2 * key.len() + size_of::<Remembered>()).unwrap_or(u32::MAX)
            },
        );
        Self(cache.build())
    }
}

impl Absent {
    /// Caches the response to a request of this time if it is a 404.
    pub(super) fn remember(
        &self,
        key: &CacheKey,
        error: &ApiError,
        asked_at: DateTime<Utc>,
        version: Version,
    ) {
        if error.status() == StatusCode::NOT_FOUND {
            let remembered = Remembered {
                error: error.clone(),
                asked_at,
                version,
            };
            self.0.insert(Arc::clone(&key.text), Arc::new(remembered));
        }
    }

    /// Returns the cached response if it is recent and its dependencies are unchanged.
    pub(super) fn find(
        &self,
        key: &CacheKey,
        changes: &Changes,
        now: DateTime<Utc>,
    ) -> Option<ApiError> {
        let found = self.0.get(&key.text)?;
        let is_valid = now - found.asked_at < KEPT_FOR
            && changes.since(&found.version, key) == Difference::Unchanged;
        is_valid.then(|| found.error.clone())
    }
}

#[cfg(test)]
mod tests {
    use chassis::clock::{Clock, SystemClock};

    use super::*;
    use crate::edge::params::Params;

    #[test]
    fn paths_that_strangers_invent_take_no_more_than_the_bound() {
        let (absent, changes) = (Absent::default(), Changes::default());
        let (error, now) = (ApiError::not_found(), SystemClock.now());
        for number in 0..40_000 {
            let path = format!("/an/invented/path/{number}/");
            let key = CacheKey::list(&path, &Params::default(), &[]);
            absent.remember(&key, &error, now, changes.version(&key));
        }
        absent.0.run_pending_tasks();
        let bytes = absent.0.weighted_size();
        assert!((1..=MAX_BYTES).contains(&bytes), "{bytes} bytes");
        assert!(absent.0.entry_count() < 40_000);
    }
}
