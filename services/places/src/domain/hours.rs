//! Opening hours in OpenStreetMap's `opening_hours` format, in local time.

use std::ops::Range;

use chrono::{DateTime, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use opening_hours::{OpeningHours, RuleKind};

/// Maximum length of an expression in characters, the same as OpenStreetMap's limit for values.
const MAX_LENGTH: usize = 255;

/// Converts an instant to a zone's local time. Opening hours are in local time: a place opens at nine before and after
/// a clock change.
pub(crate) fn wall_clock(at: DateTime<Utc>, zone: Tz) -> NaiveDateTime {
    at.with_timezone(&zone).naive_local()
}

/// Valid opening hours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hours(String);

impl Hours {
    /// Validates an expression; `None` for an empty expression.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        if text.chars().count() > MAX_LENGTH {
            return Err(format!(
                "the opening hours are longer than {MAX_LENGTH} characters"
            ));
        }
        match text.parse::<OpeningHours>() {
            Ok(_) => Ok(Some(Self(text.to_owned()))),
            Err(error) => Err(format!(
                "the opening hours {text:?} cannot be read: {error}"
            )),
        }
    }

    /// Returns the original expression.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the place is open at this local time.
    pub(crate) fn is_open(&self, at: NaiveDateTime) -> bool {
        self.0
            .parse::<OpeningHours>()
            .is_ok_and(|hours| hours.is_open(at))
    }

    /// Returns the ordered open periods within a window, each with an inclusive start and exclusive end.
    pub(crate) fn periods(&self, window: &Range<NaiveDateTime>) -> Vec<Range<NaiveDateTime>> {
        let Ok(hours) = self.0.parse::<OpeningHours>() else {
            return Vec::new();
        };
        // Evaluated day by day, like `is_open`: for ranges over several days, the library extends a fallback rule
        // (`||`) into the first hours of the following day.
        let days = window.start.date().iter_days();
        days.take_while(|day| *day <= window.end.date())
            .flat_map(|day| {
                let at = move |minutes: u16| {
                    day.and_time(NaiveTime::MIN) + TimeDelta::minutes(minutes.into())
                };
                let states = hours.schedule_at(day).into_iter();
                states
                    .filter(|state| state.kind == RuleKind::Open)
                    .map(move |state| {
                        let Range { start, end } = state.range;
                        at(start.mins_from_midnight())..at(end.mins_from_midnight())
                    })
            })
            .map(|period| period.start.max(window.start)..period.end.min(window.end))
            .filter(|period| !period.is_empty())
            .collect()
    }
}

impl Hours {
    /// Returns when a place next opens or closes; `None` if it does neither within a day of this local time.
    pub(crate) fn next_change(&self, at: NaiveDateTime) -> Option<NaiveDateTime> {
        let window = at..at + TimeDelta::days(1);
        let periods = self.periods(&window);
        let first = periods.first()?;
        if first.start > at {
            return Some(first.start);
        }
        // A period ends with its day, even if the place stays open.
        let end = periods.iter().fold(first.end, |end, period| {
            if period.start == end { period.end } else { end }
        });
        (end < window.end).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_open(hours: &str, at: &str) -> bool {
        let hours = Hours::parse(hours).expect("valid").expect("some");
        let at = at.parse().expect("an instant");
        hours.is_open(wall_clock(at, chrono_tz::Canada::Eastern))
    }

    #[test]
    fn a_bar_is_open_beyond_midnight_until_the_minute() {
        let bar = "Fr-Sa 18:00-02:00";
        for (at, open) in [
            ("2026-06-05T21:59:59Z", false),
            ("2026-06-05T22:00:00Z", true),
            // Local time: midnight at the start of Saturday, and one second before 2 a.m.
            ("2026-06-06T04:00:00Z", true),
            ("2026-06-06T05:59:59Z", true),
            ("2026-06-06T06:00:00Z", false),
            // Monday, 1 a.m. local time.
            ("2026-06-08T05:00:00Z", false),
        ] {
            assert_eq!(is_open(bar, at), open, "{at}");
        }
    }

    #[test]
    fn the_next_change_is_the_next_opening_or_closing_within_a_day() {
        for (hours, at, change) in [
            (
                "Fr-Sa 18:00-02:00",
                "2026-06-05T17:00:00",
                Some("2026-06-05T18:00:00"),
            ),
            (
                "Fr-Sa 18:00-02:00",
                "2026-06-05T18:00:00",
                Some("2026-06-06T02:00:00"),
            ),
            (
                "Fr-Sa 18:00-02:00",
                "2026-06-06T01:00:00",
                Some("2026-06-06T02:00:00"),
            ),
            ("Fr-Sa 18:00-02:00", "2026-06-08T12:00:00", None),
            (
                "Mo-Su 08:00-24:00",
                "2026-06-05T09:00:00",
                Some("2026-06-06T00:00:00"),
            ),
            ("24/7", "2026-06-05T09:00:00", None),
        ] {
            let parsed = Hours::parse(hours).expect("valid").expect("some");
            let time = |text: &str| text.parse::<NaiveDateTime>().expect("a time");
            assert_eq!(
                parsed.next_change(time(at)),
                change.map(time),
                "{hours} {at}"
            );
        }
    }

    #[test]
    fn a_day_that_ends_at_midnight_ends_there() {
        let cafe = "Mo-Su 08:00-24:00";
        assert!(is_open(cafe, "2026-06-06T03:59:59Z"));
        assert!(!is_open(cafe, "2026-06-06T04:00:00Z"));
        assert!(is_open("24/7", "2026-06-06T04:00:00Z"));
    }

    #[test]
    fn nine_oclock_is_nine_oclock_on_both_sides_of_a_clock_change() {
        let market = "Su 09:00-14:00";
        for (before, at) in [
            ("2026-03-01T13:59:59Z", "2026-03-01T14:00:00Z"),
            ("2026-03-08T12:59:59Z", "2026-03-08T13:00:00Z"),
            ("2026-11-01T13:59:59Z", "2026-11-01T14:00:00Z"),
        ] {
            assert!(!is_open(market, before), "{before}");
            assert!(is_open(market, at), "{at}");
        }
    }

    #[test]
    fn periods_agree_with_the_hours_at_every_boundary() {
        let day = |text: &str| {
            let day: chrono::NaiveDate = text.parse().expect("a day");
            day.and_time(NaiveTime::MIN)
        };
        // Both clock changes, New Year and a leap day.
        for window in [
            day("2026-03-01")..day("2026-03-16"),
            day("2026-10-25")..day("2026-11-09"),
            day("2026-12-24")..day("2027-01-08"),
            day("2028-02-20")..day("2028-03-06"),
        ] {
            for text in [
                "24/7",
                "24/7; Su off",
                "Mo-Fr 09:00-17:00",
                "Fr-Sa 18:00-02:00",
                "Mo-Su 08:00-24:00",
                "Mo-Th 11:00-24:00; Fr-Su 11:00-03:00",
                "Mo-Fr 09:00-12:00,13:00-17:30; Sa 10:00-14:00 \"by appointment\"",
                "10:00-12:00 open, 12:00-14:00 unknown, 14:00-16:00 open \"kitchen closed\"",
                "Mo-Fr 09:00-17:00 || \"call us\"",
                "Su[1] 10:00-16:00; Dec 25 off; Jan 1 off",
                "Feb 29 12:00-20:00; week 10-12 Mo 08:00-09:00",
                "Mo-Sa sunrise-sunset; PH off",
                "Th 17:00+",
                "2028 Feb-Mar Tu 07:59-08:01",
                "off",
            ] {
                let hours = Hours::parse(text).expect("valid").expect("some");
                let periods = hours.periods(&window);
                let ends = periods.iter().flat_map(|one| [one.start, one.end]);
                let around =
                    ends.flat_map(|at| [-60, -1, 0, 1, 60].map(|by| at + TimeDelta::seconds(by)));
                let half_days = (0..30).map(|number| window.start + TimeDelta::hours(12 * number));
                for at in around.chain(half_days).filter(|at| window.contains(at)) {
                    let is_within = periods.iter().any(|one| one.contains(&at));
                    assert_eq!(is_within, hours.is_open(at), "{text} at {at}");
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        assert_eq!(Hours::parse(" "), Ok(None));
        for text in ["sometimes", "Mo-Fr 25:61-", &"Mo ".repeat(100)] {
            assert!(Hours::parse(text).is_err(), "{text}");
        }
    }
}
