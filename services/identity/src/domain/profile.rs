//! A reader's account.

use chrono::{DateTime, Utc};

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) id: i64,
    pub(crate) full_name: String,
    pub(crate) email: String,
    pub(crate) email_verified: bool,
    pub(crate) created_at: DateTime<Utc>,
}

/// When a reader's saved things of one kind last changed, according to the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LastUpdate {
    pub(crate) kind: String,
    pub(crate) at: DateTime<Utc>,
}
