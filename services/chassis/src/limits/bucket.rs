//! A token bucket is stored as one instant: the time at which it will be full. Everything else follows from this
//! instant and the rate, and full buckets need not be stored (the generic cell rate algorithm, ITU-T I.371).

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::Rate;

/// A bucket's state after a request for tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketState {
    /// The bucket's rate.
    pub rate: Rate,
    /// Whether the tokens were available.
    pub is_allowed: bool,
    /// The number of remaining tokens.
    pub remaining: u32,
    /// The time until the requested tokens are available; zero if they are available now.
    pub next_in: Duration,
    /// The time until the bucket is full.
    pub full_in: Duration,
}

/// A rate in microseconds: the interval between two tokens, and the time in which an empty bucket fills.
#[derive(Debug, Clone, Copy)]
pub(super) struct Micros {
    pub(super) interval: i64,
    pub(super) window: i64,
}

impl Micros {
    /// The window is a whole number of intervals, so that a full bucket contains exactly its count.
    pub(super) fn new(rate: Rate) -> Self {
        let interval = rate.interval_micros();
        let window = interval.saturating_mul(rate.count().into());
        Self { interval, window }
    }

    /// The time until a bucket is full, from the stored instant. An instant too far in the future was written under
    /// another rate or by a wrong clock, and is limited to the window.
    pub(super) fn used(self, full_at: Option<i64>, now: i64) -> i64 {
        full_at.map_or(0, |at| (at - now).clamp(0, self.window))
    }

    /// The time until the bucket is full after taking tokens; `None` if the bucket has fewer tokens.
    pub(super) fn take(self, used: i64, tokens: u32) -> Option<i64> {
        let after = used.saturating_add(self.interval.saturating_mul(tokens.into()));
        (after <= self.window).then_some(after)
    }
}

/// Takes up to `wanted` tokens from a bucket that the caller stores as the instant at which it will be full (`None` if
/// it is full). Returns the number of tokens taken and the new instant.
#[must_use]
pub fn take_up_to(
    rate: Rate,
    full_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
    wanted: u32,
) -> (u32, DateTime<Utc>) {
    let micros = Micros::new(rate);
    let now_micros = now.timestamp_micros();
    let mut used = micros.used(full_at.map(|at| at.timestamp_micros()), now_micros);
    let mut taken = 0;
    while taken < wanted {
        let Some(after) = micros.take(used, 1) else {
            break;
        };
        used = after;
        taken += 1;
    }
    (taken, now + TimeDelta::microseconds(used))
}

impl BucketState {
    /// A bucket's state, given the time until it is full.
    pub(super) fn new(rate: Rate, is_allowed: bool, used: i64, tokens: u32) -> Self {
        let Micros { interval, window } = Micros::new(rate);
        let wanted = interval.saturating_mul(tokens.into());
        let wait = (used + wanted.min(window) - window).max(0);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_what_it_has_and_fills_again() {
        let rate: Rate = "6/min".parse().expect("a rate");
        let now: DateTime<Utc> = "2026-12-04T12:00:00Z".parse().expect("an instant");
        let (taken, full_at) = take_up_to(rate, None, now, 4);
        assert_eq!((taken, full_at - now), (4, TimeDelta::seconds(40)));
        let (taken, full_at) = take_up_to(rate, Some(full_at), now, 4);
        assert_eq!((taken, full_at - now), (2, TimeDelta::minutes(1)));
        let later = now + TimeDelta::seconds(25);
        let (taken, _) = take_up_to(rate, Some(full_at), later, 4);
        assert_eq!(taken, 2);
        let wrong = now + TimeDelta::days(900);
        assert_eq!(take_up_to(rate, Some(wrong), now, 1).0, 0);
        let (taken, _) = take_up_to(rate, Some(wrong), now + TimeDelta::days(901), 9);
        assert_eq!(taken, 6, "no more than a full bucket has");
    }
}
