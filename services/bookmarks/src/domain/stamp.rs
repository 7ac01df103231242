//! Stamps: when a reader's things of one kind last changed (`last_updates` of the HTTP API).

use chrono::{DateTime, TimeDelta, Utc};

/// A change that is older than this has been committed or given up: calls end by their deadline, long
/// before. A map read now therefore holds every change stamped earlier than this.
pub(crate) const SETTLED_AFTER: TimeDelta = TimeDelta::seconds(30);

/// A kind of saved thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Favourite places.
    Favourites,
}

impl Kind {
    /// As the HTTP API and the stored stamps write it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Favourites => "favourites",
        }
    }
}

/// A change has been stamped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Touched {
    pub(crate) at: DateTime<Utc>,
    /// The change before it; `None` for the first of all.
    pub(crate) previous: Option<DateTime<Utc>>,
}

/// The last change of one kind, and how many stand after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) kind: String,
    pub(crate) at: DateTime<Utc>,
    pub(crate) count: i64,
}
