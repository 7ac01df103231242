//! A clock that is set, as the simulated day goes on.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chassis::clock::Clock;
use chrono::{DateTime, Utc};

/// Milliseconds since 1970.
#[derive(Debug, Default)]
pub(super) struct SetClock(AtomicI64);

impl SetClock {
    pub(super) fn at(now: DateTime<Utc>) -> Arc<Self> {
        let clock = Self::default();
        clock.set(now);
        Arc::new(clock)
    }

    pub(super) fn set(&self, now: DateTime<Utc>) {
        self.0.store(now.timestamp_millis(), Ordering::Relaxed);
    }
}

impl Clock for SetClock {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.0.load(Ordering::Relaxed)).unwrap_or_default()
    }
}
