//! The kinds of things that a reader saves, as every part of the system names them, and the stamps of
//! their changes.

use chrono::{DateTime, Utc};

/// A kind of saved thing (HTTP API, "Saved things").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Articles to read later.
    ArticleBookmarks,
    /// Events to go to.
    EventBookmarks,
    /// Favourite places.
    Favourites,
    /// A reader's votes on places.
    Ratings,
    /// Places to visit.
    Todos,
    /// Videos to watch.
    VideoBookmarks,
}

impl Kind {
    /// Every kind, by name.
    pub const ALL: [Self; 6] = [
        Self::ArticleBookmarks,
        Self::EventBookmarks,
        Self::Favourites,
        Self::Ratings,
        Self::Todos,
        Self::VideoBookmarks,
    ];

    /// The name in `last_updates`, events and stamps.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ArticleBookmarks => "article-bookmarks",
            Self::EventBookmarks => "event-bookmarks",
            Self::Favourites => "favourites",
            Self::Ratings => "ratings",
            Self::Todos => "todos",
            Self::VideoBookmarks => "video-bookmarks",
        }
    }

    /// The name in a login's `post_authenticate_action`.
    #[must_use]
    pub const fn intent(self) -> &'static str {
        match self {
            Self::ArticleBookmarks => "article-bookmark",
            Self::EventBookmarks => "event-bookmark",
            Self::Favourites => "favourite",
            Self::Ratings => "rating",
            Self::Todos => "todo",
            Self::VideoBookmarks => "video-bookmark",
        }
    }

    /// The kind with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind that a login's intent is about.
    #[must_use]
    pub fn from_intent(intent: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.intent() == intent)
    }
}

/// A change that has been stamped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touched {
    /// The instant of the change.
    pub at: DateTime<Utc>,
    /// The change before it; `None` for the first of all.
    pub previous: Option<DateTime<Utc>>,
}

/// The last change of one kind, and the number of things after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// [`Kind::name`].
    pub kind: String,
    /// The last change.
    pub at: DateTime<Utc>,
    /// The number of saved things.
    pub count: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_intents_lead_back_to_their_kind() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.name()), Some(kind));
            assert_eq!(Kind::from_intent(kind.intent()), Some(kind));
        }
        assert_eq!(Kind::from_name("favourite"), None);
        assert_eq!(Kind::from_intent("favourites"), None);
    }
}
