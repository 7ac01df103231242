//! The time until the next poll.

use std::time::Duration;

/// The pause after a first failure. It doubles with each further one.
const FIRST: Duration = Duration::from_mins(1);
/// The longest pause, of sources that are not polled more rarely.
const MAX: Duration = Duration::from_hours(6);
/// The longest that a server can have us wait.
const MAX_ASKED: Duration = Duration::from_hours(24);

/// The pause after a failure, which `before` others have come before. `random`, of 0 to 1, spreads those of sources that
/// failed together.
pub(super) fn after_failure(
    before: u32,
    every: Duration,
    asked: Option<Duration>,
    random: f64,
) -> Duration {
    let doubled = FIRST.saturating_mul(2_u32.saturating_pow(before));
    let longest = doubled.min(MAX.max(every));
    let pause = longest.mul_f64(0.5 + random.clamp(0.0, 1.0) / 2.0);
    let asked = asked.unwrap_or_default().min(MAX_ASKED);
    pause.max(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_bound_and_are_spread() {
        let minute = Duration::from_mins(1);
        let pause = |before, random| after_failure(before, 30 * minute, None, random);
        assert_eq!(pause(0, 1.0), minute);
        assert_eq!(pause(0, 0.0), minute / 2);
        assert_eq!(pause(3, 1.0), 8 * minute);
        assert_eq!(pause(3, 0.5), 6 * minute);
        assert_eq!(pause(20, 1.0), 360 * minute);
        assert_eq!(pause(u32::MAX, 1.0), 360 * minute);
        let weekly = 10_080 * minute;
        assert_eq!(after_failure(u32::MAX, weekly, None, 1.0), weekly);
    }

    #[test]
    fn a_server_is_asked_no_sooner_than_it_wants_within_a_day() {
        let hours = Duration::from_hours;
        let pause = |asked| after_failure(0, hours(1), Some(asked), 1.0);
        assert_eq!(pause(Duration::from_secs(5)), FIRST);
        assert_eq!(pause(hours(2)), hours(2));
        assert_eq!(pause(Duration::MAX), hours(24));
    }
}
