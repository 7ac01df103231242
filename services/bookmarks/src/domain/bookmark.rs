//! Bookmarks: places, articles, events and videos saved by readers.

use chassis::postgres::stamps::Touched;
use chrono::{DateTime, Utc};

/// A reader's bookmark, with the projection of its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bookmark {
    pub(crate) id: i64,
    pub(crate) target_id: i64,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) target_name: String,
    pub(crate) is_available: bool,
    /// To-dos only.
    pub(crate) is_done: Option<bool>,
    /// Event bookmarks only.
    pub(crate) add_to_calendar: Option<bool>,
}

/// The record after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) id: i64,
    pub(crate) target_id: i64,
    pub(crate) created_at: DateTime<Utc>,
    /// To-dos only.
    pub(crate) is_done: Option<bool>,
    /// Whether this call created the record.
    pub(crate) is_new: bool,
    /// The kind's last change, including this one, and the previous change. If this call changed nothing, both are the
    /// last change.
    pub(crate) stamp: Touched,
}

/// An entry of the map from targets to records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MapEntry {
    pub(crate) id: i64,
    pub(crate) target_id: i64,
    /// To-dos only.
    pub(crate) is_done: Option<bool>,
}
