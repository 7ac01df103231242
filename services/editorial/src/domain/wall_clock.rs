//! Local times.

use chrono::{DateTime, NaiveDateTime, Offset as _, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;

/// Converts a local time to an instant. If the time occurs twice, the first occurrence is used; if a clock change skips
/// it, the offset before the change is used (RFC 5545, 3.3.5).
pub(super) fn instant(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    let found = zone.from_local_datetime(&local);
    found.earliest().map_or_else(
        || {
            let before = local - TimeDelta::hours(3);
            let offset = zone.offset_from_utc_datetime(&before);
            let seconds = offset.fix().local_minus_utc();
            Utc.from_utc_datetime(&(local - TimeDelta::seconds(seconds.into())))
        },
        |at| at.to_utc(),
    )
}
