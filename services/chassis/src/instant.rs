//! Instants on their way through gRPC, JSON and text: UTC with millisecond precision everywhere.

use chrono::{DateTime, SecondsFormat, SubsecRound, Utc};
use prost_types::Timestamp;

/// The protobuf form of an instant.
#[must_use]
pub fn to_proto(instant: DateTime<Utc>) -> Timestamp {
    Timestamp {
        seconds: instant.timestamp(),
        nanos: instant.timestamp_subsec_nanos().cast_signed(),
    }
}

/// The instant of a protobuf timestamp; `None` outside the calendar.
#[must_use]
pub fn from_proto(timestamp: &Timestamp) -> Option<DateTime<Utc>> {
    let nanos = u32::try_from(timestamp.nanos).ok()?;
    DateTime::from_timestamp(timestamp.seconds, nanos).map(|instant| instant.trunc_subsecs(3))
}

/// RFC 3339 with milliseconds and `Z`, as the API writes every instant.
#[must_use]
pub fn to_rfc3339(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Millis, true)
}
