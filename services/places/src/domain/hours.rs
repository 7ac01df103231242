//! Opening hours: OpenStreetMap's `opening_hours`, by the city's clock.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use opening_hours::OpeningHours;

/// The longest expression, in characters; OpenStreetMap's own bound on a value.
const MAX_LENGTH: usize = 255;

/// Opening hours that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hours(String);

impl Hours {
    /// Checks an expression; `None` for an empty one.
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

    /// The expression as it was written.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is open at an instant, by the clock of a zone. The wall clock counts: a place that opens at
    /// nine does so on both sides of a clock change.
    pub(crate) fn is_open(&self, at: DateTime<Utc>, zone: Tz) -> bool {
        self.0
            .parse::<OpeningHours>()
            .is_ok_and(|hours| hours.is_open(at.with_timezone(&zone).naive_local()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_open(hours: &str, at: &str) -> bool {
        let hours = Hours::parse(hours).expect("valid").expect("some");
        hours.is_open(at.parse().expect("an instant"), chrono_tz::Canada::Eastern)
    }

    #[test]
    fn a_bar_is_open_beyond_midnight_until_the_minute() {
        let bar = "Fr-Sa 18:00-02:00";
        for (at, open) in [
            ("2026-06-05T21:59:59Z", false),
            ("2026-06-05T22:00:00Z", true),
            // Midnight in the city, and an hour later, which is Saturday.
            ("2026-06-06T04:00:00Z", true),
            ("2026-06-06T05:59:59Z", true),
            ("2026-06-06T06:00:00Z", false),
            // Two o'clock on Sunday night.
            ("2026-06-08T05:00:00Z", false),
        ] {
            assert_eq!(is_open(bar, at), open, "{at}");
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
    fn what_cannot_be_read_is_refused() {
        assert_eq!(Hours::parse(" "), Ok(None));
        for text in ["sometimes", "Mo-Fr 25:61-", &"Mo ".repeat(100)] {
            assert!(Hours::parse(text).is_err(), "{text}");
        }
    }
}
