//! What this service knows of articles, events, contests, videos and pages.

use chrono::{DateTime, Utc};

/// The projection of one item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KnownItem {
    pub(crate) id: i64,
    /// "article", "event", "contest", "video" or "page".
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) is_available: bool,
    pub(crate) date_published: Option<DateTime<Utc>>,
    /// The item's version that was heard of.
    pub(crate) version: i64,
}
