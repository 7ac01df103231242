//! The pace of a line item: proportional control that follows the site's traffic curve.

use chrono::{DateTime, Utc};

use crate::curve::Curve;

/// The time in seconds in which a small lead or lag is corrected: long compared to the seconds between a page and its
/// impressions, and short compared to an hour.
const CORRECTION: f64 = 60.0;
/// The maximum pace while correcting a lag, as a multiple of the planned pace, so that no delivery is rushed.
const FASTEST: f64 = 2.0;
/// The minimum assumed fill rate, which limits the pace.
const LEAST_FILL: f64 = 0.05;
/// The weight of the initial assumption that all served ads become impressions, in impressions.
const PRIOR: f64 = 20.0;

/// A line item's booking: a number of impressions within a period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flight {
    /// When the booking starts.
    pub starts_at: DateTime<Utc>,
    /// When the booking ends (exclusive).
    pub ends_at: DateTime<Utc>,
    /// The booked impressions.
    pub goal: u64,
}

/// The delivery so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delivered {
    /// The number of opportunities given to the line item.
    pub served: u64,
    /// The number of impressions that count towards the goal.
    pub impressions: u64,
}

impl Delivered {
    /// The share of served ads that become impressions: readers never scroll to the other ads.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    fn fill(self) -> f64 {
        let fill = (self.impressions as f64 + PRIOR) / (self.served as f64 + PRIOR);
        fill.clamp(LEAST_FILL, 1.0)
    }
}

/// The pace of a line item, in total for all processes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Opportunities per second.
    pub per_second: f64,
    /// The maximum number of opportunities until the next measurement.
    pub most: f64,
}

impl Pace {
    /// The pace of a line item that is not served.
    pub const NONE: Self = Self {
        per_second: 0.0,
        most: 0.0,
    };

    /// The pace at an instant: the planned pace, corrected for lead or lag.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    pub fn at(curve: &Curve, flight: Flight, delivered: Delivered, now: DateTime<Utc>) -> Self {
        let whole = curve.between(flight.starts_at, flight.ends_at);
        let left = flight.goal.saturating_sub(delivered.impressions) as f64;
        if now < flight.starts_at || now >= flight.ends_at || whole <= 0.0 || left <= 0.0 {
            return Self::NONE;
        }
        let planned = flight.goal as f64 * curve.per_second(now) / whole;
        let lag = expected(curve, flight, now) - delivered.impressions as f64;
        let wanted = (planned + lag / CORRECTION).clamp(0.0, FASTEST * planned);
        let fill = delivered.fill();
        Self {
            per_second: wanted / fill,
            most: left / fill,
        }
    }
}

/// The number of impressions that should have been delivered by an instant.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
pub(crate) fn expected(curve: &Curve, flight: Flight, now: DateTime<Utc>) -> f64 {
    let whole = curve.between(flight.starts_at, flight.ends_at);
    if whole <= 0.0 {
        return 0.0;
    }
    let passed = curve.between(
        flight.starts_at,
        now.clamp(flight.starts_at, flight.ends_at),
    );
    flight.goal as f64 * passed / whole
}

impl Flight {
    /// The number of impressions that should have been delivered by an instant, according to a curve.
    #[must_use]
    pub fn expected(self, curve: &Curve, now: DateTime<Utc>) -> f64 {
        expected(curve, self, now)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::curve::HOURS_OF_WEEK;

    fn flight() -> Flight {
        let starts_at = "2026-12-01T00:00:00Z".parse().expect("an instant");
        Flight {
            starts_at,
            ends_at: starts_at + TimeDelta::days(1),
            goal: 86_400,
        }
    }

    fn even() -> Curve {
        Curve::new(&[1.0; HOURS_OF_WEEK], 0)
    }

    fn pace(hours: i64, served: u64, impressions: u64) -> Pace {
        let now = flight().starts_at + TimeDelta::hours(hours);
        let delivered = Delivered {
            served,
            impressions,
        };
        Pace::at(&even(), flight(), delivered, now)
    }

    #[test]
    fn a_line_item_on_schedule_goes_on_as_planned() {
        let pace = pace(6, 21_600, 21_600);
        assert!((pace.per_second - 1.0).abs() < 1e-6, "{pace:?}");
        assert!((pace.most - 64_800.0).abs() < 1e-6, "{pace:?}");
    }

    #[test]
    fn more_is_served_if_some_is_never_seen() {
        let pace = pace(6, 43_200, 21_600);
        assert!((pace.per_second - 2.0).abs() < 0.01, "{pace:?}");
    }

    #[test]
    fn a_lag_is_made_up_for_without_a_rush_and_a_lead_waited_for() {
        assert!((pace(6, 21_570, 21_570).per_second - 1.5).abs() < 1e-6);
        assert!((pace(6, 10_000, 10_000).per_second - 2.0).abs() < 1e-6);
        assert!(pace(6, 22_000, 22_000).per_second.abs() < f64::EPSILON);
    }

    #[test]
    fn nothing_is_served_outside_of_the_flight_and_beyond_the_goal() {
        assert_eq!(pace(-1, 0, 0), Pace::NONE);
        assert_eq!(pace(24, 0, 0), Pace::NONE);
        assert_eq!(pace(6, 90_000, 86_400), Pace::NONE);
    }
}
