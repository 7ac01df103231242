//! Times in responses.

use chassis::instant;
use prost_types::Timestamp;

/// Formats a time as RFC 3339; `None` if it is absent or out of range.
pub(super) fn text(at: Option<&Timestamp>) -> Option<String> {
    at.and_then(instant::from_proto).map(instant::to_rfc3339)
}
