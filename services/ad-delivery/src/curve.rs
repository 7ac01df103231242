//! The site's traffic curve over a week.

use chrono::{DateTime, Utc};

/// The number of hours in a week.
pub const HOURS_OF_WEEK: usize = 168;
const HOUR: f64 = 3_600.0;
const WEEK: f64 = 168.0 * HOUR;
/// 1970 began on a Thursday.
const FIRST_MONDAY: i64 = 4 * 86_400;

/// The distribution of the site's page views over the hours of a week, starting on Monday at 00:00 local time.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    weights: [f64; HOURS_OF_WEEK],
    /// The sum of the weights before each hour.
    before: [f64; HOURS_OF_WEEK],
    total: f64,
    /// The UTC offset of the site's local time, in seconds.
    offset: i64,
}

impl Curve {
    /// Creates the curve from the pages per hour. Each hour counts as at least a hundredth of the mean, so that ads can
    /// be served in an hour that had no visits so far. `offset` is the UTC offset of the site's local time, in seconds.
    #[must_use]
    pub fn new(pages: &[f64; HOURS_OF_WEEK], offset: i32) -> Self {
        let mean = pages.iter().sum::<f64>() / 168.0;
        let least = if mean > 0.0 { mean / 100.0 } else { 1.0 };
        Self::of(&pages.map(|pages| pages.max(least)), offset)
    }

    fn of(weights: &[f64; HOURS_OF_WEEK], offset: i32) -> Self {
        let mut before = [0.0; HOURS_OF_WEEK];
        let mut total = 0.0;
        for (before, weight) in before.iter_mut().zip(weights) {
            *before = total;
            total += weight;
        }
        Self {
            weights: *weights,
            before,
            total,
            offset: offset.into(),
        }
    }

    /// The curve restricted to these hours of the week; the whole curve if `hours` is empty.
    #[must_use]
    pub fn within(&self, hours: &[u8]) -> Self {
        if hours.is_empty() {
            return self.clone();
        }
        let mut weights = [0.0; HOURS_OF_WEEK];
        for hour in hours.iter().map(|hour| usize::from(*hour)) {
            if let (Some(weight), Some(of_all)) = (weights.get_mut(hour), self.weights.get(hour)) {
                *weight = *of_all;
            }
        }
        Self {
            offset: self.offset,
            ..Self::of(&weights, 0)
        }
    }

    /// The hour of the week of an instant.
    #[must_use]
    pub fn hour_of_week(&self, at: DateTime<Utc>) -> u8 {
        let (_, hour, _) = self.parts(at);
        u8::try_from(hour).unwrap_or_default()
    }

    /// The number of weeks since the first Monday, the hour of the week, and the elapsed fraction of the hour.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "seconds and hours, far below 2^52"
    )]
    fn parts(&self, at: DateTime<Utc>) -> (f64, usize, f64) {
        let seconds = at.timestamp() + self.offset - FIRST_MONDAY;
        let seconds = seconds as f64 + f64::from(at.timestamp_subsec_millis()) / 1_000.0;
        let week = (seconds / WEEK).floor();
        let hours = (seconds - week * WEEK) / HOUR;
        let hour = (hours as usize).min(HOURS_OF_WEEK - 1);
        (week, hour, (hours - hour as f64).clamp(0.0, 1.0))
    }

    /// The traffic since the first Monday.
    fn until(&self, at: DateTime<Utc>) -> f64 {
        let (week, hour, part) = self.parts(at);
        week * self.total + self.before[hour] + part * self.weights[hour]
    }

    /// The traffic between two instants, without a unit: only ratios are meaningful.
    #[must_use]
    pub fn between(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> f64 {
        (self.until(until) - self.until(from)).max(0.0)
    }

    /// The traffic per second at an instant, in the unit of [`Self::between`].
    #[must_use]
    pub fn per_second(&self, at: DateTime<Utc>) -> f64 {
        let (_, hour, _) = self.parts(at);
        self.weights[hour] / HOUR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("an instant")
    }

    fn evenings() -> Curve {
        let mut pages = [10.0; HOURS_OF_WEEK];
        for day in 0..7 {
            pages[day * 24 + 20] = 50.0;
        }
        Curve::new(&pages, -5 * 3_600)
    }

    #[test]
    fn hours_are_those_of_the_sites_clocks() {
        let curve = evenings();
        // Tuesday, 2026-12-01 01:30 UTC is Monday evening in Toronto.
        assert_eq!(curve.hour_of_week(at("2026-12-01T01:30:00Z")), 20);
        assert_eq!(curve.hour_of_week(at("2026-11-30T05:00:00Z")), 0);
        assert_eq!(curve.hour_of_week(at("2026-11-30T04:59:59Z")), 167);
    }

    #[test]
    fn traffic_adds_up_over_parts_of_hours_and_over_weeks() {
        let curve = evenings();
        let day = curve.between(at("2026-12-01T05:00:00Z"), at("2026-12-02T05:00:00Z"));
        assert!((day - (23.0 * 10.0 + 50.0)).abs() < 1e-6, "{day}");
        let half = curve.between(at("2026-12-01T01:00:00Z"), at("2026-12-01T01:30:00Z"));
        assert!((half - 25.0).abs() < 1e-6, "{half}");
        let year = curve.between(at("2026-01-01T00:00:00Z"), at("2026-12-31T00:00:00Z"));
        assert!((year - 52.0 * 7.0 * 280.0).abs() < 1e-3, "{year}");
        let second = curve.per_second(at("2026-12-01T01:30:00Z"));
        assert!((second * 3_600.0 - 50.0).abs() < 1e-6);
    }

    #[test]
    fn a_part_of_the_day_has_its_own_traffic_alone() {
        let lunch = evenings().within(&[12, 13]);
        let week = lunch.between(at("2026-12-01T00:00:00Z"), at("2026-12-08T00:00:00Z"));
        assert!((week - 20.0).abs() < 1e-6, "{week}");
        assert_eq!(evenings().within(&[]), evenings());
    }

    #[test]
    fn a_site_without_traffic_spreads_evenly_and_an_empty_hour_is_not_nothing() {
        let even = Curve::new(&[0.0; HOURS_OF_WEEK], 0);
        let (from, until) = (at("2026-12-01T00:00:00Z"), at("2026-12-01T06:00:00Z"));
        let week = even.between(from, at("2026-12-08T00:00:00Z"));
        assert!((even.between(from, until) / week - 6.0 / 168.0).abs() < 1e-9);
        let mut pages = [100.0; HOURS_OF_WEEK];
        pages[3] = 0.0;
        assert!(Curve::new(&pages, 0).per_second(at("2026-11-30T03:00:00Z")) > 0.0);
    }
}
