//! A clock that is set by hand.

use std::sync::{Arc, Mutex, PoisonError};

use chassis::clock::Clock;
use chrono::{DateTime, TimeDelta, TimeZone, Utc};

/// A clock that stands still until it is set or advanced.
#[derive(Debug)]
pub struct ManualClock {
    now: Mutex<DateTime<Utc>>,
}

impl ManualClock {
    /// A clock at noon UTC on 20 November 2026.
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

    /// Makes it an instant.
    pub fn set(&self, now: DateTime<Utc>) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// Lets time pass.
    pub fn advance(&self, by: TimeDelta) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
