//! Dates, times and durations without a zone (RFC 5545, 3.3).

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;

/// Maximum duration of an event, in days.
const MAX_DAYS: i64 = 3_660;

/// Parses `20260131`.
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse().ok();
    NaiveDate::from_ymd_opt(text[..4].parse().ok()?, number(4, 6)?, number(6, 8)?)
}

/// Parses `235959`. A leap second becomes the previous second.
pub(super) fn clock_time(text: &str) -> Option<NaiveTime> {
    if text.len() != 6 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<u32>().ok();
    NaiveTime::from_hms_opt(number(0, 2)?, number(2, 4)?, number(4, 6)?.min(59))
}

/// Parses a local time as in the rules of zones: `20260131T020000`.
pub(super) fn local(text: &str) -> Option<NaiveDateTime> {
    let (day, time) = text.trim().trim_end_matches('Z').split_once('T')?;
    Some(date(day)?.and_time(clock_time(time)?))
}

/// A duration (RFC 5545, 3.3.6): calendar days, whose length depends on clock changes, and an exact time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Duration {
    pub(super) days: i64,
    pub(super) exact: TimeDelta,
}

impl Duration {
    /// Returns the duration's length if each day has 24 hours.
    pub(super) fn nominal(self) -> TimeDelta {
        TimeDelta::days(self.days) + self.exact
    }
}

/// Parses a duration, such as `P1DT2H`; `None` if it is invalid, negative or longer than ten years.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let text = text.strip_prefix('+').unwrap_or(text).strip_prefix('P')?;
    let mut duration = Duration::default();
    let mut digits = String::new();
    let mut is_time = false;
    for letter in text.chars() {
        let (days, seconds) = match letter {
            '0'..='9' => {
                digits.push(letter);
                continue;
            }
            'T' if digits.is_empty() => {
                is_time = true;
                continue;
            }
            'W' => (7, 0),
            'D' => (1, 0),
            'H' if is_time => (0, 3_600),
            'M' if is_time => (0, 60),
            'S' if is_time => (0, 1),
            _ => return None,
        };
        let count: i32 = digits.parse().ok()?;
        digits.clear();
        duration.days += i64::from(count) * days;
        duration.exact += TimeDelta::try_seconds(i64::from(count) * seconds)?;
    }
    let is_short = duration.days + duration.exact.num_days() <= MAX_DAYS;
    (digits.is_empty() && is_short).then_some(duration)
}

/// Converts a local time to an instant. If the time occurs twice, the first occurrence is used; if a clock change skips
/// it, the offset before the change is used (RFC 5545, 3.3.5).
pub(super) fn instant(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    let found = zone.from_local_datetime(&local).earliest();
    found.map_or_else(
        || {
            let before = local - TimeDelta::hours(3);
            let offset = chrono::Offset::fix(&zone.offset_from_utc_datetime(&before));
            (local - TimeDelta::seconds(offset.local_minus_utc().into())).and_utc()
        },
        |at| at.to_utc(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_of_weeks_days_and_times() {
        for (text, days, minutes) in [
            ("PT1H30M", 0, 90),
            ("PT24H", 0, 1_440),
            ("P1D", 1, 0),
            ("P1W", 7, 0),
            ("+P1DT2H", 1, 120),
            ("PT0S", 0, 0),
        ] {
            let exact = TimeDelta::minutes(minutes);
            assert_eq!(duration(text), Some(Duration { days, exact }), "{text}");
        }
        for odd in [
            "",
            "P1",
            "-PT1H",
            "PT",
            "P99999999999D",
            "P1Y",
            "P1M",
            "P9999D",
            "1H",
        ] {
            let none = duration(odd).filter(|found| *found != Duration::default());
            assert_eq!(none, None, "{odd}");
        }
    }

    #[test]
    fn a_date_has_eight_digits() {
        assert!(date("20260228").is_some() && local("16010101T000000").is_some());
        for odd in [
            "20260229",
            "2026022",
            "999990101",
            "2026-2-1",
            "",
            "+2026101",
        ] {
            assert_eq!(date(odd), None, "{odd}");
        }
    }
}
