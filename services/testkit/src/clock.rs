//! A manual clock.

use std::sync::{Arc, Mutex, PoisonError};

use chassis::clock::Clock;
use chrono::{DateTime, TimeDelta, TimeZone, Utc};

/// A clock that only changes when it is set or advanced.
#[derive(Debug)]
pub struct ManualClock {
    now: Mutex<DateTime<Utc>>,
}

impl ManualClock {
    /// Creates a clock at noon UTC on 20 November 2026.
    #[must_use]
    pub fn shared() -> Arc<Self> {
        let noon = Utc
            .with_ymd_and_hms(2026, 11, 20, 12, 0, 0)
            .single()
            .unwrap_or_default();
        Arc::new(Self {
            now: Mutex::new(noon),
        })
    }

    /// Sets the time.
    pub fn set(&self, now: DateTime<Utc>) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// Advances the time.
    pub fn advance(&self, by: TimeDelta) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
