//! Dates in words without the current year.

use chrono::{DateTime, Datelike as _, Utc};
use chrono_tz::Tz;

/// The year in which a response is computed. Dates of other years say their year.
#[derive(Debug)]
pub(crate) struct ThisYear(String);

impl ThisYear {
    pub(crate) fn new(now: DateTime<Utc>, zone: Tz) -> Self {
        Self(format!(", {}", now.with_timezone(&zone).year()))
    }

    /// "November 20, 2026 at 8:00 p.m." as "November 20 at 8:00 p.m.", in 2026.
    pub(crate) fn omitted_from(&self, words: &str) -> String {
        words.replace(&self.0, "")
    }
}

#[cfg(test)]
mod tests {
    use chassis::instant;

    use super::*;

    #[test]
    fn dates_of_this_year_of_the_zone_do_not_say_it() {
        let now = instant::from_rfc3339("2027-01-01T03:00:00.000Z").expect("an instant");
        let this_year = ThisYear::new(now, chrono_tz::America::Toronto);
        for (words, shown) in [
            ("November 20, 2026", "November 20"),
            (
                "Friday, November 20, 2026, at midnight",
                "Friday, November 20, at midnight",
            ),
            ("January 12, 2027", "January 12, 2027"),
            (
                "December 30, 2026 – January 2, 2027",
                "December 30 – January 2, 2027",
            ),
            ("November 20 – 22, 2026", "November 20 – 22"),
        ] {
            assert_eq!(this_year.omitted_from(words), shown);
        }
    }
}
