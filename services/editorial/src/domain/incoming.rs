//! Items in an import.

use chrono::NaiveDateTime;
use chrono_tz::Tz;

use super::Proposal;

/// An item in an import.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) source_id: String,
    /// `None` for a cancelled item.
    pub(crate) proposal: Option<Box<Proposal>>,
    /// Whether the same event of another source takes precedence.
    pub(crate) yields: bool,
    /// The occurrence that the item replaces.
    pub(crate) replaces: Option<Replaced>,
}

/// An occurrence of a recurring event that is replaced by another item or cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replaced {
    /// Source id of the recurring event.
    pub(crate) series: String,
    /// Local start in `zone`.
    pub(crate) starts: NaiveDateTime,
    pub(crate) zone: Tz,
}
