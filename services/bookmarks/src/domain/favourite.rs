//! A favourite: a reader keeps a place.

use chrono::{DateTime, Utc};

use super::stamp::Touched;

/// One reader's favourite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Favourite {
    pub(crate) id: i64,
    pub(crate) listing_id: i64,
    pub(crate) created_at: DateTime<Utc>,
    /// As last heard from places.
    pub(crate) listing_name: String,
    pub(crate) is_available: bool,
}

/// A record that stands after "ensure that it is kept".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) id: i64,
    pub(crate) created_at: DateTime<Utc>,
    /// Whether this call made it.
    pub(crate) is_new: bool,
    /// The kind's last change, this one included, and the one before. Where this call changed
    /// nothing, both are the last change.
    pub(crate) stamp: Touched,
}
