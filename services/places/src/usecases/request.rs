//! Checks of request fields that several use cases have.

use chassis::error::Fault;
use chrono_tz::Tz;

/// Ids that one call may name.
const MAX_IDS: usize = 100;

/// A zone by its IANA name; `None` for an empty name.
pub(super) fn read_zone(field: &'static str, name: &str) -> Result<Option<Tz>, Fault> {
    if name.is_empty() {
        return Ok(None);
    }
    let unknown = |_| Fault::invalid_field(field, format!("Existing is no time zone {name}."));
    name.parse().map(Some).map_err(unknown)
}

/// Bounds the number of ids in one call.
pub(super) fn check_ids(ids: &[i64]) -> Result<(), Fault> {
    if ids.len() > MAX_IDS {
        return Err(Fault::invalid_field(
            "ids",
            format!("Ensure at most {MAX_IDS} ids."),
        ));
    }
    Ok(())
}
