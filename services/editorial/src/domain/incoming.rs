//! What an import says of an item.

use chrono::NaiveDateTime;
use chrono_tz::Tz;

use super::Proposal;

/// An item as it arrives.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) source_id: String,
    /// Absent: it was cancelled.
    pub(crate) proposal: Option<Box<Proposal>>,
    /// Whether another source's event that is the same one stays in its place.
    pub(crate) yields: bool,
    /// The occurrence that it takes the place of.
    pub(crate) replaces: Option<Replaced>,
}

/// An occurrence of a recurring event that another item takes the place of, or that is cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replaced {
    /// The source id of the recurring event.
    pub(crate) series: String,
    /// Its start by the clock of `zone`.
    pub(crate) starts: NaiveDateTime,
    pub(crate) zone: Tz,
}
