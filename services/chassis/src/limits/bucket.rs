//! A token bucket is one instant: when it will be full again. Everything else follows
//! from it and the rate, so a bucket is one number, and one that is full need not be kept
//! (the generic cell rate algorithm, ITU-T I.371).

use std::time::Duration;

use super::Rate;

/// A bucket's state after a request for a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketState {
    /// The bucket's rate.
    pub rate: Rate,
    /// Whether there was a token to take.
    pub is_allowed: bool,
    /// Tokens that are left now.
    pub remaining: u32,
    /// The time until a token is available; zero if one is.
    pub next_in: Duration,
    /// The time until the bucket is full.
    pub full_in: Duration,
}

/// Microseconds of a rate: between two tokens, and until an empty bucket is full.
#[derive(Debug, Clone, Copy)]
pub(super) struct Micros {
    pub(super) interval: i64,
    pub(super) window: i64,
}

impl Micros {
    /// The window is a whole number of intervals, so that a full bucket holds exactly its count.
    pub(super) fn new(rate: Rate) -> Self {
        let interval = rate.interval_micros();
        let window = interval.saturating_mul(rate.count().into());
        Self { interval, window }
    }

    /// The time until a bucket is full, from the instant that is stored. An instant too far ahead was written
    /// under another rate or by a wrong clock.
    pub(super) fn used(self, full_at: Option<i64>, now: i64) -> i64 {
        full_at.map_or(0, |at| (at - now).clamp(0, self.window))
    }

    /// The same after one token more; `None` where there is none.
    pub(super) fn take(self, used: i64) -> Option<i64> {
        let after = used + self.interval;
        (after <= self.window).then_some(after)
    }
}

impl BucketState {
    /// A bucket's state, given the time until it is full.
    pub(super) fn new(rate: Rate, is_allowed: bool, used: i64) -> Self {
        let Micros { interval, window } = Micros::new(rate);
        let wait = (used + interval - window).max(0);
        let micros = |micros: i64| Duration::from_micros(u64::try_from(micros).unwrap_or_default());
        Self {
            rate,
            is_allowed,
            remaining: u32::try_from((window - used) / interval).unwrap_or_default(),
            next_in: micros(wait),
            full_in: micros(used),
        }
    }
}
