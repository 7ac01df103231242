//! Dates and times for pages and mails: in Canadian English, regardless of the reader's language.

use std::fmt::Display;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta, TimeZone, Timelike};
use chrono_tz::Tz;

use crate::instant;

/// Formats a date as "November 20, 2026".
#[must_use]
pub fn day(day: NaiveDate) -> String {
    day.format("%B %-d, %Y").to_string()
}

/// Formats a date as "Friday, November 20, 2026".
#[must_use]
pub fn weekday(day: NaiveDate) -> String {
    day.format("%A, %B %-d, %Y").to_string()
}

/// "November 20 – 22, 2026"; the month and year appear twice if they differ.
#[must_use]
pub fn days(first: NaiveDate, last: NaiveDate) -> String {
    let end = if (first.year(), first.month()) == (last.year(), last.month()) {
        last.format("%-d, %Y")
    } else {
        last.format("%B %-d, %Y")
    };
    let start = if first.year() == last.year() {
        first.format("%B %-d")
    } else {
        first.format("%B %-d, %Y")
    };
    format!("{start} – {end}")
}

/// Formats a time as "8:00 p.m.".
#[must_use]
pub fn time<Z: TimeZone<Offset: Display>>(at: &DateTime<Z>) -> String {
    time_of_day(at.time())
}

/// Formats a time of any day as "8:00 p.m.".
#[must_use]
pub fn time_of_day(at: NaiveTime) -> String {
    let half = if at.hour() < 12 { "a.m." } else { "p.m." };
    // A non-breaking space prevents a line break within the time.
    format!("{}\u{a0}{half}", at.format("%-I:%M"))
}

/// "8:00 – 10:00 p.m.", for two times on the same day.
#[must_use]
pub fn times(from: &DateTime<Tz>, until: &DateTime<Tz>) -> String {
    if (from.hour() < 12) == (until.hour() < 12) {
        format!("{} – {}", from.format("%-I:%M"), time(until))
    } else {
        format!("{} – {}", time(from), time(until))
    }
}

/// Formats an instant as "Friday, November 20, 2026 at 8:00 p.m.".
#[must_use]
pub fn moment(at: &DateTime<Tz>) -> String {
    format!("{} at {}", weekday(at.date_naive()), time(at))
}

/// The end of an event: the last day if it ends at midnight, otherwise the date and time.
#[must_use]
pub fn closing(at: &DateTime<Tz>) -> String {
    let last = *at - TimeDelta::milliseconds(1);
    if last.date_naive() == at.date_naive() {
        moment(at)
    } else {
        format!("{}, at midnight", weekday(last.date_naive()))
    }
}

/// Converts an API timestamp to the date in a time zone; `None` if it is absent or invalid.
#[must_use]
pub fn day_of(at: Option<&str>, zone: Tz) -> Option<String> {
    let at = instant::from_rfc3339(at?)?.with_timezone(&zone);
    Some(day(at.date_naive()))
}

/// Formats a date in the API's form, `2026-11-20`; any other text is returned unchanged.
#[must_use]
pub fn iso_day(text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), day)
}

/// The name of a month, numbered from 1 to 12.
#[must_use]
pub fn month(number: u32) -> String {
    NaiveDate::from_ymd_opt(2000, number, 1)
        .map(|first| first.format("%B").to_string())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Tz> {
        let zone: Tz = "America/Toronto".parse().expect("a zone");
        let at = instant::from_rfc3339(text).expect("an instant");
        at.with_timezone(&zone)
    }

    #[test]
    fn a_range_says_month_and_year_once_where_they_are_the_same() {
        let between = |first: &str, last: &str| {
            days(first.parse().expect("a day"), last.parse().expect("a day"))
        };
        assert_eq!(
            between("2026-11-20", "2026-11-22"),
            "November 20 – 22, 2026"
        );
        assert_eq!(
            between("2026-11-30", "2026-12-02"),
            "November 30 – December 2, 2026"
        );
        assert_eq!(
            between("2026-12-30", "2027-01-02"),
            "December 30, 2026 – January 2, 2027"
        );
    }

    #[test]
    fn times_say_their_half_of_the_day_once_where_it_is_the_same() {
        let between = |from, until| times(&at(from), &at(until)).replace('\u{a0}', " ");
        assert_eq!(
            between("2026-11-21T01:00:00.000Z", "2026-11-21T03:00:00.000Z"),
            "8:00 – 10:00 p.m."
        );
        assert_eq!(
            between("2026-11-20T16:00:00.000Z", "2026-11-20T18:30:00.000Z"),
            "11:00 a.m. – 1:30 p.m."
        );
        assert_eq!(
            between("2026-11-20T05:00:00.000Z", "2026-11-20T17:00:00.000Z"),
            "12:00 a.m. – 12:00 p.m."
        );
    }

    #[test]
    fn midnight_closes_the_day_before_it() {
        let closes = |text| closing(&at(text)).replace('\u{a0}', " ");
        assert_eq!(
            closes("2026-11-21T05:00:00.000Z"),
            "Friday, November 20, 2026, at midnight"
        );
        assert_eq!(
            closes("2026-11-21T05:01:00.000Z"),
            "Saturday, November 21, 2026 at 12:01 a.m."
        );
    }

    #[test]
    fn an_instant_has_its_day_in_the_zone() {
        let zone: Tz = "America/Toronto".parse().expect("a zone");
        let day = |text| day_of(Some(text), zone);
        assert_eq!(
            day("2026-01-03T03:00:00.000Z").as_deref(),
            Some("January 2, 2026")
        );
        assert_eq!(day("garbage"), None);
        assert_eq!(day_of(None, zone), None);
        assert_eq!(iso_day("2026-05-03"), "May 3, 2026");
        assert_eq!(iso_day("spring"), "spring");
        assert_eq!(
            (month(10), month(13)),
            ("October".to_owned(), String::new())
        );
    }
}
