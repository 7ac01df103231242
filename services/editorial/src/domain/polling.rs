//! External feeds and calendars that are polled on a schedule.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A source in the site's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Configured {
    pub(crate) name: String,
    /// Digest of the source's settings.
    pub(crate) config: String,
}

/// A process's turn to poll a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lease {
    pub(crate) name: String,
    pub(crate) id: Uuid,
    /// The entity tag of the last imported response; empty if it had none.
    pub(crate) etag: String,
    pub(crate) last_modified: String,
    pub(crate) digest: String,
    /// Number of consecutive failed polls.
    pub(crate) failures: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PollResult {
    Imported,
    Unchanged,
    Failed,
}

impl PollResult {
    const ALL: [Self; 3] = [Self::Imported, Self::Unchanged, Self::Failed];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Imported => "imported",
            Self::Unchanged => "unchanged",
            Self::Failed => "failed",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.as_str() == name)
    }
}

/// Numbers of items in an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PollCounts {
    pub(crate) created: i32,
    pub(crate) changed: i32,
    pub(crate) unchanged: i32,
    pub(crate) refused: i32,
}

/// A finished poll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Poll {
    pub(crate) result: PollResult,
    pub(crate) reason: String,
    pub(crate) etag: String,
    pub(crate) last_modified: String,
    pub(crate) digest: String,
    pub(crate) counts: PollCounts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceState {
    pub(crate) name: String,
    pub(crate) first_seen_at: DateTime<Utc>,
    pub(crate) next_poll_at: DateTime<Utc>,
    pub(crate) polled_at: Option<DateTime<Utc>>,
    pub(crate) succeeded_at: Option<DateTime<Utc>>,
    pub(crate) leased_until: Option<DateTime<Utc>>,
    pub(crate) result: Option<PollResult>,
    pub(crate) reason: String,
    /// Counts of the last import.
    pub(crate) counts: PollCounts,
    pub(crate) failures: i32,
}
