//! Time until the next poll.

use std::time::Duration;

/// Pause after the first failure; doubled after each further failure.
const FIRST: Duration = Duration::from_mins(1);
/// Maximum pause, unless the polling interval of the source is longer.
const MAX: Duration = Duration::from_hours(6);
/// Maximum pause that a server can request.
const MAX_ASKED: Duration = Duration::from_hours(24);

/// Returns the pause after a failure that follows `before` other failures. `random`, from 0 to 1, spreads sources that
/// failed at the same time.
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
