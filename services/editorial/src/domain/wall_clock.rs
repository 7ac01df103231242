//! Times by the clock of a zone.

use chrono::{DateTime, NaiveDateTime, Offset as _, TimeDelta, TimeZone as _, Utc};
use chrono_tz::Tz;

/// The instant of a wall-clock time: the first one if the time occurs twice; if a clock change skips it,
/// the instant by the offset before the change (RFC 5545, 3.3.5).
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
