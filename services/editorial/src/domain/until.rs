//! The end of a recurrence rule (RFC 5545, 3.3.10), which programs write as a date, local time or UTC time.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use chrono_tz::Tz;

use super::wall_clock::instant;

const DAY: &str = "%Y%m%d";
const LOCAL: &str = "%Y%m%dT%H%M%S";
const INSTANT: &str = "%Y%m%dT%H%M%SZ";

/// Converts the `UNTIL` of a rule to UTC. A date, or the end of an all-day event, becomes the last second of that day.
/// An invalid value remains unchanged.
pub(crate) fn in_utc(rule: &str, zone: Tz, is_all_day: bool) -> String {
    let parts = rule.split(';').map(|part| {
        let until = part.split_once('=').and_then(|(name, value)| {
            let is_until = name.trim().eq_ignore_ascii_case("UNTIL");
            is_until.then(|| last(value.trim(), zone, is_all_day))?
        });
        until.map_or_else(
            || part.to_owned(),
            |local| format!("UNTIL={}", instant(zone, local).format(INSTANT)),
        )
    });
    parts.collect::<Vec<_>>().join(";")
}

/// Returns the last second, in the zone's local time, at which an occurrence may start.
fn last(value: &str, zone: Tz, is_all_day: bool) -> Option<NaiveDateTime> {
    let end_of = |day: NaiveDate| day.and_hms_opt(23, 59, 59);
    if let Ok(day) = NaiveDate::parse_from_str(value, DAY) {
        return end_of(day);
    }
    let (value, written_in) = match value.strip_suffix(['Z', 'z']) {
        Some(value) => (value, Tz::UTC),
        None => (value, zone),
    };
    let at = NaiveDateTime::parse_from_str(value, LOCAL).ok()?;
    if is_all_day {
        return end_of(day_of(at, written_in, zone));
    }
    Some(instant(written_in, at).with_timezone(&zone).naive_local())
}

/// Returns the date of an all-day event at a time. Midnight in UTC means a date; any other UTC time is converted to the
/// event's own zone.
pub(crate) fn day_of(at: NaiveDateTime, written_in: Tz, zone: Tz) -> NaiveDate {
    if written_in == Tz::UTC && at.time() != NaiveTime::MIN {
        instant(written_in, at).with_timezone(&zone).date_naive()
    } else {
        at.date()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZONE: Tz = chrono_tz::America::Toronto;

    #[test]
    fn the_last_day_is_included_however_it_is_written() {
        for (written, timed, all_day) in [
            ("20260331", "20260401T035959Z", "20260401T035959Z"),
            ("20260331T190000", "20260331T230000Z", "20260401T035959Z"),
            ("20260401T035959Z", "20260401T035959Z", "20260401T035959Z"),
            ("20260331T000000Z", "20260331T000000Z", "20260401T035959Z"),
            ("20260331T235959Z", "20260331T235959Z", "20260401T035959Z"),
        ] {
            let rule = format!("FREQ=DAILY;until={written};BYDAY=MO");
            let expected = |until: &str| format!("FREQ=DAILY;UNTIL={until};BYDAY=MO");
            assert_eq!(in_utc(&rule, ZONE, false), expected(timed), "{written}");
            assert_eq!(in_utc(&rule, ZONE, true), expected(all_day), "{written}");
        }
        for unchanged in ["", "FREQ=DAILY;COUNT=3", "FREQ=DAILY;UNTIL=never"] {
            assert_eq!(in_utc(unchanged, ZONE, true), unchanged);
        }
    }
}
