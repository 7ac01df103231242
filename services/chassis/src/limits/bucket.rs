//! A token bucket is one instant: when it will be full again. Everything else follows
//! from it and the rate, so a bucket is one number, and one that is full need not be kept
//! (the generic cell rate algorithm, ITU-T I.371).

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

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

/// Takes up to as many tokens as are wanted from a bucket whose owner keeps it: the instant at which it will be full, `None`
/// for one that is. Returns how many it took, and the instant as it is then.
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
        let Some(after) = micros.take(used) else {
            break;
        };
        used = after;
        taken += 1;
    }
    (taken, now + TimeDelta::microseconds(used))
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
