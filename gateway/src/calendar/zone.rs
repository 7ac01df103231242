//! Time zones in calendar files (RFC 5545, 3.6.5): clock changes and their offsets.

use std::{collections::BTreeMap, fmt::Write as _};

use chrono::{DateTime, Datelike, Days, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc, Weekday};
use chrono_tz::{OffsetComponents, OffsetName, Tz};

use super::content_line::content_line;

/// Clock changes are included from this long before the file's first time.
const BEFORE: TimeDelta = TimeDelta::days(400);
/// Clock changes are included until this long after the file's first time: enough to establish a yearly rule.
const AFTER: TimeDelta = TimeDelta::days(8 * 366);
/// Number of consecutive clock changes that establish a rule.
const A_RULE: usize = 4;
const LOCAL: &str = "%Y%m%dT%H%M%S";

/// A clock change.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Clock {
    is_daylight: bool,
    /// Offsets before and after the change, in seconds east of UTC.
    from: i32,
    to: i32,
    name: String,
}

/// Returns the zone's component for times from `first` on.
pub(super) fn component(zone: Tz, first: NaiveDateTime) -> String {
    let begin = first.and_utc() - BEFORE;
    let mut changes: BTreeMap<Clock, Vec<NaiveDateTime>> = BTreeMap::new();
    for at in changes_between(zone, begin, first.and_utc() + AFTER) {
        let before = offset(zone, at - TimeDelta::seconds(1));
        // The local time of a change is in the previous offset.
        let onset = at.naive_utc() + TimeDelta::seconds(before.into());
        changes
            .entry(clock(zone, before, at))
            .or_default()
            .push(onset);
    }
    let is_known = changes.values().flatten().any(|onset| *onset <= first);
    if !is_known {
        let still = offset(zone, begin);
        let onset = begin.naive_utc() + TimeDelta::seconds(still.into());
        let onsets = changes.entry(clock(zone, still, begin)).or_default();
        onsets.insert(0, onset);
    }
    let mut text = String::from("BEGIN:VTIMEZONE\r\n");
    text.push_str(&content_line(("TZID", zone.name()).into()));
    for (clock, onsets) in &changes {
        text.push_str(&observance(clock, onsets));
    }
    text.push_str("END:VTIMEZONE\r\n");
    text
}

fn clock(zone: Tz, from: i32, at: DateTime<Utc>) -> Clock {
    let offset = zone.offset_from_utc_datetime(&at.naive_utc());
    Clock {
        is_daylight: !offset.dst_offset().is_zero(),
        from,
        to: offset.fix().local_minus_utc(),
        name: offset.abbreviation().unwrap_or_default().to_owned(),
    }
}

fn observance(clock: &Clock, onsets: &[NaiveDateTime]) -> String {
    let kind = if clock.is_daylight {
        "DAYLIGHT"
    } else {
        "STANDARD"
    };
    let mut text = format!("BEGIN:{kind}\r\n");
    let mut add = |name: &str, value: &str| text.push_str(&content_line((name, value).into()));
    let mut onsets_told = onsets.iter().map(|onset| onset.format(LOCAL).to_string());
    add("DTSTART", &onsets_told.next().unwrap_or_default());
    match yearly(onsets) {
        Some(rule) => add("RRULE", &rule),
        None => onsets_told.for_each(|onset| add("RDATE", &onset)),
    }
    add("TZOFFSETFROM", &offset_text(clock.from));
    add("TZOFFSETTO", &offset_text(clock.to));
    if !clock.name.is_empty() {
        add("TZNAME", &clock.name);
    }
    let _ = write!(text, "END:{kind}\r\n");
    text
}

/// Returns the yearly rule of the clock changes, if they follow one: the same weekday of a month, at the same time.
fn yearly(onsets: &[NaiveDateTime]) -> Option<String> {
    let first = onsets.first()?;
    let is_yearly = |pair: &[NaiveDateTime]| {
        let [one, next] = pair else { return false };
        next.year() == one.year() + 1
            && (next.month(), next.weekday(), next.time())
                == (one.month(), one.weekday(), one.time())
    };
    if onsets.len() < A_RULE || !onsets.windows(2).all(is_yearly) {
        return None;
    }
    let place = if onsets.iter().all(is_last_of_its_month) {
        -1
    } else {
        let place = |onset: &NaiveDateTime| i64::from(onset.day0() / 7) + 1;
        let of_all = place(first);
        onsets
            .iter()
            .all(|onset| place(onset) == of_all)
            .then_some(of_all)?
    };
    let day = match first.weekday() {
        Weekday::Mon => "MO",
        Weekday::Tue => "TU",
        Weekday::Wed => "WE",
        Weekday::Thu => "TH",
        Weekday::Fri => "FR",
        Weekday::Sat => "SA",
        Weekday::Sun => "SU",
    };
    let month = first.month();
    Some(format!("FREQ=YEARLY;BYMONTH={month};BYDAY={place}{day}"))
}

fn is_last_of_its_month(onset: &NaiveDateTime) -> bool {
    onset
        .checked_add_days(Days::new(7))
        .is_none_or(|next| next.month() != onset.month())
}

/// Formats an offset as `-0500`, with seconds if they are not zero (RFC 5545, 3.3.14).
fn offset_text(offset: i32) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let seconds = offset.abs();
    let mut text = format!("{sign}{:02}{:02}", seconds / 3600, seconds / 60 % 60);
    if seconds % 60 > 0 {
        let _ = write!(text, "{:02}", seconds % 60);
    }
    text
}

fn offset(zone: Tz, at: DateTime<Utc>) -> i32 {
    let offset = zone.offset_from_utc_datetime(&at.naive_utc());
    offset.fix().local_minus_utc()
}

/// Returns the times at which the offset changes. Two opposite changes within a day are missed.
fn changes_between(zone: Tz, from: DateTime<Utc>, to: DateTime<Utc>) -> Vec<DateTime<Utc>> {
    let mut found = Vec::new();
    let mut day = from;
    while day < to {
        let next = day + TimeDelta::days(1);
        if offset(zone, day) != offset(zone, next) {
            found.push(change_within(zone, day, next));
        }
        day = next;
    }
    found
}

/// Finds the second at which the offset changes between two times.
fn change_within(zone: Tz, before: DateTime<Utc>, after: DateTime<Utc>) -> DateTime<Utc> {
    let (mut before, mut after) = (before, after);
    let old = offset(zone, before);
    while after - before > TimeDelta::seconds(1) {
        let middle = before + (after - before) / 2;
        if offset(zone, middle) == old {
            before = middle;
        } else {
            after = middle;
        }
    }
    chrono::SubsecRound::trunc_subsecs(after, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(zone: &str, first: &str) -> Vec<String> {
        let zone = zone.parse().expect("a zone");
        let text = component(zone, first.parse().expect("a local time"));
        assert!(text.split("\r\n").all(|line| !line.contains('\n')));
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_zone_with_rules_is_told_by_them() {
        assert_eq!(
            lines("America/Toronto", "2026-07-01T09:00:00"),
            [
                "BEGIN:VTIMEZONE",
                "TZID:America/Toronto",
                "BEGIN:STANDARD",
                "DTSTART:20251102T020000",
                "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
                "TZOFFSETFROM:-0400",
                "TZOFFSETTO:-0500",
                "TZNAME:EST",
                "END:STANDARD",
                "BEGIN:DAYLIGHT",
                "DTSTART:20260308T020000",
                "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
                "TZOFFSETFROM:-0500",
                "TZOFFSETTO:-0400",
                "TZNAME:EDT",
                "END:DAYLIGHT",
                "END:VTIMEZONE",
            ]
        );
        let berlin = lines("Europe/Berlin", "2026-07-01T09:00:00");
        for rule in ["BYMONTH=10;BYDAY=-1SU", "BYMONTH=3;BYDAY=-1SU"] {
            assert!(
                berlin.contains(&format!("RRULE:FREQ=YEARLY;{rule}")),
                "{berlin:?}"
            );
        }
    }

    #[test]
    fn a_zone_that_keeps_its_time_has_one_clock() {
        assert_eq!(
            lines("America/Regina", "2026-07-01T09:00:00")[2..],
            [
                "BEGIN:STANDARD",
                "DTSTART:20250527T030000",
                "TZOFFSETFROM:-0600",
                "TZOFFSETTO:-0600",
                "TZNAME:CST",
                "END:STANDARD",
                "END:VTIMEZONE",
            ]
        );
        let nepal = lines("Asia/Kathmandu", "2026-07-01T09:00:00");
        assert!(nepal.contains(&"TZOFFSETTO:+0545".to_owned()), "{nepal:?}");
    }

    /// The last clock change in Whitehorse was in March 2020; in 2007, Toronto's rule changed.
    #[test]
    fn changes_that_follow_no_rule_are_told_one_by_one() {
        let whitehorse = lines("America/Whitehorse", "2020-06-01T09:00:00");
        assert!(whitehorse.iter().all(|line| !line.starts_with("RRULE")));
        assert!(whitehorse.contains(&"DTSTART:20200308T020000".to_owned()));
        let toronto = lines("America/Toronto", "2006-06-01T09:00:00");
        let dates = toronto.iter().filter(|line| line.starts_with("RDATE"));
        assert!(dates.count() > 10, "{toronto:?}");
    }
}
