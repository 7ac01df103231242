//! Times of events.

use chassis::instant;
use chrono::{DateTime, Datelike as _, NaiveDate, TimeDelta, Timelike};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::dates;

/// An event that ends before this hour belongs to the previous evening.
const SMALL_HOURS: u32 = 6;

/// The first date of an event, for a calendar leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct CalendarDay {
    /// "Fri".
    pub(crate) weekday: String,
    /// "20".
    pub(crate) day: String,
    /// "Nov".
    pub(crate) month: String,
}

/// The time of an occurrence in its display zone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occasion {
    from: DateTime<Tz>,
    /// The end, inclusive for all-day events; equal to `from` if unknown.
    until: DateTime<Tz>,
    is_all_day: bool,
}

impl Occasion {
    /// Returns `None` without a start.
    pub(crate) fn new(
        starts_at: Option<&str>,
        ends_at: Option<&str>,
        zone: Tz,
        is_all_day: bool,
    ) -> Option<Self> {
        let local = |text: &str| Some(instant::from_rfc3339(text)?.with_timezone(&zone));
        let from = starts_at.and_then(local)?;
        let until = ends_at.and_then(local).map(|end| {
            // All-day events end at midnight after their last day.
            let over = i64::from(is_all_day);
            end - TimeDelta::milliseconds(over)
        });
        let until = until.filter(|until| *until > from).unwrap_or(from);
        Some(Self {
            from,
            until,
            is_all_day,
        })
    }

    fn is_within_a_day(&self) -> bool {
        self.from.date_naive() == self.until.date_naive()
    }

    /// Whether the event ends on its first day or in the following night.
    fn is_one_day(&self) -> bool {
        self.is_within_a_day()
            || (!self.is_all_day
                && self.until - self.from < TimeDelta::hours(12)
                && self.until.hour() < SMALL_HOURS)
    }

    /// The date ("Friday, November 20, 2026"), or a range of dates.
    pub(crate) fn days(&self) -> String {
        let (first, last) = (self.from.date_naive(), self.until.date_naive());
        if self.is_one_day() {
            dates::weekday(first)
        } else {
            dates::days(first, last)
        }
    }

    /// The time range ("8:00 – 10:00 p.m."), or "All day".
    pub(crate) fn hours(&self) -> String {
        if self.is_all_day {
            "All day".to_owned()
        } else if self.from == self.until {
            dates::time(&self.from)
        } else if self.is_within_a_day() {
            dates::times(&self.from, &self.until)
        } else {
            format!("{} – {}", dates::time(&self.from), dates::time(&self.until))
        }
    }

    /// The start time ("8:00 p.m."), or "All day".
    pub(crate) fn start(&self) -> String {
        if self.is_all_day {
            "All day".to_owned()
        } else {
            dates::time(&self.from)
        }
    }

    pub(crate) fn first_day(&self) -> NaiveDate {
        self.from.date_naive()
    }

    pub(crate) fn calendar_day(&self) -> CalendarDay {
        let part = |form: &str| self.from.format(form).to_string();
        CalendarDay {
            weekday: part("%a"),
            day: part("%-d"),
            month: part("%b"),
        }
    }
}

/// The heading of a day in a list of events, and the weekday to show with each event if the heading covers several days:
/// the Saturday and Sunday of the current week.
pub(crate) fn diary_day(day: NaiveDate, today: NaiveDate) -> (String, Option<String>) {
    let ahead = (day - today).num_days();
    let is_weekend = day.weekday().number_from_monday() > 5;
    let heading = match ahead {
        ..=0 => "Today".to_owned(),
        1 => "Tomorrow".to_owned(),
        _ if is_weekend && day.iso_week() == today.iso_week() => {
            return (
                "This weekend".to_owned(),
                Some(day.format("%a").to_string()),
            );
        }
        _ if day.year() == today.year() => day.format("%A, %B %-d").to_string(),
        _ => dates::weekday(day),
    };
    (heading, None)
}

/// Describes an event's recurrence (RFC 5545, `RRULE`) in a word or two; the dates show the details.
pub(crate) fn repeats(rule: &str) -> String {
    let rule = rule.to_uppercase();
    let part = |name: &str| {
        let mut parts = rule.split(';').filter_map(|part| part.split_once('='));
        parts
            .find(|(known, _)| *known == name)
            .map(|(_, value)| value)
    };
    let is_plain = part("INTERVAL").is_none_or(|every| every == "1")
        && part("BYDAY").is_none_or(|days| !days.contains(','));
    let often = match part("FREQ").filter(|_| is_plain) {
        Some("DAILY") => "Daily",
        Some("WEEKLY") => "Weekly",
        Some("MONTHLY") => "Monthly",
        Some("YEARLY") => "Yearly",
        _ => "On several dates",
    };
    often.to_owned()
}

/// Converts a category's slug to words, since categories have no other names.
pub(crate) fn category(slug: &str) -> String {
    let words = slug.replace('-', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toronto(starts_at: &str, ends_at: Option<&str>, is_all_day: bool) -> (String, String) {
        let zone = "America/Toronto".parse().expect("a zone");
        let occasion = Occasion::new(Some(starts_at), ends_at, zone, is_all_day);
        let occasion = occasion.expect("a start");
        let plain = |text: String| text.replace('\u{a0}', " ");
        (occasion.days(), plain(occasion.hours()))
    }

    fn words(days: &str, hours: &str) -> (String, String) {
        (days.to_owned(), hours.to_owned())
    }

    #[test]
    fn a_diary_has_today_tomorrow_the_weekend_and_then_days() {
        let day = |text: &str| text.parse::<NaiveDate>().expect("a date");
        // A Wednesday.
        for (at, heading) in [
            ("2026-12-20", ("Today", None)),
            ("2026-12-23", ("Today", None)),
            ("2026-12-24", ("Tomorrow", None)),
            ("2026-12-25", ("Friday, December 25", None)),
            ("2026-12-26", ("This weekend", Some("Sat"))),
            ("2026-12-27", ("This weekend", Some("Sun"))),
            ("2026-12-28", ("Monday, December 28", None)),
            ("2027-01-02", ("Saturday, January 2, 2027", None)),
        ] {
            let (found, weekday) = diary_day(day(at), day("2026-12-23"));
            assert_eq!((found.as_str(), weekday.as_deref()), heading, "{at}");
        }
        let (tomorrow, _) = diary_day(day("2026-12-27"), day("2026-12-26"));
        assert_eq!(tomorrow, "Tomorrow");
        let (next, _) = diary_day(day("2027-01-02"), day("2026-12-27"));
        assert_eq!(next, "Saturday, January 2, 2027");
    }

    #[test]
    fn an_evening_that_ends_after_midnight_is_one_day() {
        assert_eq!(
            toronto(
                "2026-11-21T02:00:00.000Z",
                Some("2026-11-21T07:00:00.000Z"),
                false
            ),
            words("Friday, November 20, 2026", "9:00 p.m. – 2:00 a.m.")
        );
        assert_eq!(
            toronto(
                "2026-11-20T14:00:00.000Z",
                Some("2026-11-21T15:00:00.000Z"),
                false
            ),
            words("November 20 – 21, 2026", "9:00 a.m. – 10:00 a.m.")
        );
    }

    #[test]
    fn a_start_alone_is_a_time_and_an_end_before_it_is_ignored() {
        let start = words("Friday, November 20, 2026", "8:00 p.m.");
        assert_eq!(toronto("2026-11-21T01:00:00.000Z", None, false), start);
        let before = Some("2026-11-20T01:00:00.000Z");
        assert_eq!(toronto("2026-11-21T01:00:00.000Z", before, false), start);
    }

    #[test]
    fn whole_days_end_before_the_midnight_that_ends_them() {
        assert_eq!(
            toronto(
                "2026-11-20T05:00:00.000Z",
                Some("2026-11-21T05:00:00.000Z"),
                true
            ),
            words("Friday, November 20, 2026", "All day")
        );
        assert_eq!(
            toronto(
                "2026-11-20T05:00:00.000Z",
                Some("2026-11-23T05:00:00.000Z"),
                true
            ),
            words("November 20 – 22, 2026", "All day")
        );
    }

    #[test]
    fn the_clocks_of_the_zone_count() {
        // The clocks go back between these two times.
        let calendar = |at: &str| {
            let zone = "America/Toronto".parse().expect("a zone");
            let occasion = Occasion::new(Some(at), None, zone, false).expect("a start");
            (
                occasion.start().replace('\u{a0}', " "),
                occasion.calendar_day(),
            )
        };
        let leaf = |weekday: &str, day: &str, month: &str| CalendarDay {
            weekday: weekday.to_owned(),
            day: day.to_owned(),
            month: month.to_owned(),
        };
        assert_eq!(
            calendar("2026-10-31T22:00:00.000Z"),
            ("6:00 p.m.".to_owned(), leaf("Sat", "31", "Oct"))
        );
        assert_eq!(
            calendar("2026-11-01T22:00:00.000Z"),
            ("5:00 p.m.".to_owned(), leaf("Sun", "1", "Nov"))
        );
        assert!(Occasion::new(None, None, chrono_tz::UTC, false).is_none());
    }

    #[test]
    fn only_a_plain_rule_says_how_often() {
        assert_eq!(repeats("FREQ=WEEKLY"), "Weekly");
        assert_eq!(repeats("freq=monthly;byday=1SA"), "Monthly");
        assert_eq!(repeats("FREQ=WEEKLY;BYDAY=MO,TH"), "On several dates");
        assert_eq!(repeats("FREQ=DAILY;INTERVAL=2"), "On several dates");
        assert_eq!(category("real-estate"), "Real estate");
    }
}
