//! The targets of bookmarks, as this service knows them from their owners' events.

use chrono::{DateTime, Utc};
use vocabulary::saved::Kind;

/// A kind of thing that bookmarks point at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetKind {
    Listing,
    Article,
    Event,
    Video,
}

impl TargetKind {
    /// The kind of thing that a kind of bookmark points at; `None` for a kind that another service keeps.
    pub(crate) fn of_bookmark(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Favourites | Kind::Todos => Some(Self::Listing),
            Kind::ArticleBookmarks => Some(Self::Article),
            Kind::EventBookmarks => Some(Self::Event),
            Kind::VideoBookmarks => Some(Self::Video),
            Kind::Ratings => None,
        }
    }

    /// The name in the owners' events.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Listing => "listing",
            Self::Article => "article",
            Self::Event => "event",
            Self::Video => "video",
        }
    }

    /// The field of the HTTP API that names the target in a create.
    pub(crate) const fn field(self) -> &'static str {
        match self {
            Self::Listing => "listing",
            Self::Article | Self::Event => "object_id",
            Self::Video => "video",
        }
    }
}

/// The projection of one target. Its kind is the owner's name for it, because contests and pages are stored
/// too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) kind: String,
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) is_available: bool,
    pub(crate) date_published: Option<DateTime<Utc>>,
    /// The version that this was taken from; 0 if the owner was asked, so that every event is newer.
    pub(crate) version: i64,
}
