//! Instants in gRPC, JSON and text: always UTC with millisecond precision.

use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike, SecondsFormat, SubsecRound, Utc};
use prost_types::Timestamp;

/// The years of instants and dates that the API accepts and returns; PostgreSQL and ISO 8601 use a different notation
/// for other years.
pub const YEARS: RangeInclusive<i32> = 1..=9999;

/// Converts an instant to a protobuf timestamp.
#[must_use]
pub fn to_proto(instant: DateTime<Utc>) -> Timestamp {
    Timestamp {
        seconds: instant.timestamp(),
        nanos: instant.timestamp_subsec_nanos().cast_signed(),
    }
}

/// Converts a protobuf timestamp to an instant; `None` if it is out of range.
#[must_use]
pub fn from_proto(timestamp: &Timestamp) -> Option<DateTime<Utc>> {
    let nanos = u32::try_from(timestamp.nanos).ok()?;
    DateTime::from_timestamp(timestamp.seconds, nanos).map(|instant| instant.trunc_subsecs(3))
}

/// Formats an instant as RFC 3339 with milliseconds and `Z`, the only form that the API writes.
#[must_use]
pub fn to_rfc3339(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Parses the format of [`to_rfc3339`]; `None` for any other text and for years outside [`YEARS`].
#[must_use]
pub fn from_rfc3339(text: &str) -> Option<DateTime<Utc>> {
    let instant = DateTime::parse_from_rfc3339(text).ok()?.to_utc();
    (YEARS.contains(&instant.year()) && to_rfc3339(instant) == text).then_some(instant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else_is() {
        let text = "2026-11-20T12:00:00.007Z";
        let instant = from_rfc3339(text).expect("an instant");
        assert_eq!(to_rfc3339(instant), text);
        assert_eq!(from_proto(&to_proto(instant)), Some(instant));
        for text in [
            "",
            "now",
            "2026-11-20",
            "2026-11-20T12:00:00Z",
            "0000-01-01T00:00:00.000Z",
        ] {
            assert_eq!(from_rfc3339(text), None, "{text}");
        }
    }
}
