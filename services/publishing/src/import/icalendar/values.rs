//! Dates, times and durations without a zone (RFC 5545, 3.3).

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;

/// The longest event.
const MAX_DAYS: i64 = 3_660;

/// `20260131`.
pub(super) fn date(text: &str) -> Option<NaiveDate> {
    if text.len() != 8 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse().ok();
    NaiveDate::from_ymd_opt(text[..4].parse().ok()?, number(4, 6)?, number(6, 8)?)
}

/// `235959`. The leap second is the second before it.
pub(super) fn clock_time(text: &str) -> Option<NaiveTime> {
    if text.len() != 6 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<u32>().ok();
    NaiveTime::from_hms_opt(number(0, 2)?, number(2, 4)?, number(4, 6)?.min(59))
}

/// A local time without a zone, as the rules of zones have it: `20260131T020000`.
pub(super) fn local(text: &str) -> Option<NaiveDateTime> {
    let (day, time) = text.trim().trim_end_matches('Z').split_once('T')?;
    Some(date(day)?.and_time(clock_time(time)?))
}

/// A duration (RFC 5545, 3.3.6): days of the calendar, whose length clock changes alter, and an exact time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Duration {
    pub(super) days: i64,
    pub(super) exact: TimeDelta,
}

impl Duration {
    /// Its length if each day has 24 hours.
    pub(super) fn nominal(self) -> TimeDelta {
        TimeDelta::days(self.days) + self.exact
    }
}

/// A duration, `P1DT2H`; one that is negative or longer than ten years is none.
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

/// The instant of a wall-clock time: the first one if the time occurs twice; if a clock change skips it, the instant by
/// the offset before the change (RFC 5545, 3.3.5).
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
