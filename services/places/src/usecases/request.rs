//! Validation of request fields shared by several use cases.

use chassis::error::Fault;
use chrono_tz::Tz;

/// Maximum number of ids per call.
const MAX_IDS: usize = 100;

/// Parses an IANA zone name; `None` for an empty name.
pub(super) fn read_zone(field: &'static str, name: &str) -> Result<Option<Tz>, Fault> {
    if name.is_empty() {
        return Ok(None);
    }
    let unknown = |_| Fault::invalid_field(field, format!("Existing is no time zone {name}."));
    name.parse().map(Some).map_err(unknown)
}

/// Checks the number of ids in a call.
pub(super) fn check_ids(ids: &[i64]) -> Result<(), Fault> {
    if ids.len() > MAX_IDS {
        return Err(Fault::invalid_field(
            "ids",
            format!("Ensure at most {MAX_IDS} ids."),
        ));
    }
    Ok(())
}
