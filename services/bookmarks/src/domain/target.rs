//! The targets of bookmarks, as received in their owners' events.

use chrono::{DateTime, Utc};
use vocabulary::saved::Kind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetKind {
    Listing,
    Article,
    Event,
    Video,
}

impl TargetKind {
    /// The target kind of a kind of bookmark; `None` if another service stores the kind.
    pub(crate) fn of_bookmark(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Favourites | Kind::Todos => Some(Self::Listing),
            Kind::ArticleBookmarks => Some(Self::Article),
            Kind::EventBookmarks => Some(Self::Event),
            Kind::VideoBookmarks => Some(Self::Video),
            Kind::Ratings => None,
        }
    }

    /// The kind's name in the owners' events.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Listing => "listing",
            Self::Article => "article",
            Self::Event => "event",
            Self::Video => "video",
        }
    }

    /// The API's field for the target in a create request.
    pub(crate) const fn field(self) -> &'static str {
        match self {
            Self::Listing => "listing",
            Self::Article | Self::Event => "object_id",
            Self::Video => "video",
        }
    }
}

/// The projection of a target. The kind is the owner's name for it, because contests and pages are stored too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) kind: String,
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) is_available: bool,
    pub(crate) date_published: Option<DateTime<Utc>>,
    /// The version of the owner's event; 0 if the data was requested from the owner, so that every event is newer.
    pub(crate) version: i64,
}
