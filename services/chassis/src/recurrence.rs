//! Recurrence rules of events (RFC 5545, `RRULE`).

use chrono::NaiveDateTime;
use chrono_tz::Tz;

// The RFC 5545 formats of instants and dates.
const INSTANT: &str = "%Y%m%dT%H%M%SZ";
const DAY: &str = "%Y%m%d";

/// Adapts a rule for an all-day event in its time zone: `UNTIL` becomes a date, like the event's start (RFC 5545,
/// section 3.3.10).
#[must_use]
pub fn by_days(rule: &str, zone: Tz) -> String {
    let parts = rule.split(';').map(|part| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let until = NaiveDateTime::parse_from_str(value, INSTANT);
        match until {
            Ok(until) if name.eq_ignore_ascii_case("UNTIL") => {
                let day = until.and_utc().with_timezone(&zone).format(DAY);
                format!("UNTIL={day}")
            }
            _ => part.to_owned(),
        }
    });
    parts.collect::<Vec<_>>().join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_all_day_rule_is_a_day_of_its_zone() {
        let zone = chrono_tz::America::Toronto;
        assert_eq!(
            by_days("FREQ=DAILY;UNTIL=20260702T035959Z", zone),
            "FREQ=DAILY;UNTIL=20260701"
        );
        assert_eq!(by_days("FREQ=DAILY;COUNT=3", zone), "FREQ=DAILY;COUNT=3");
    }
}
