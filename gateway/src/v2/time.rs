//! Instants in answers.

use chassis::instant;
use prost_types::Timestamp;

/// An instant in RFC 3339; `None` if it is absent or outside the calendar.
pub(super) fn text(at: Option<&Timestamp>) -> Option<String> {
    at.and_then(instant::from_proto).map(instant::to_rfc3339)
}
