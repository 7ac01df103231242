//! The kinds of things that a reader saves.

use strum::{EnumString, IntoStaticStr};

/// A kind of saved thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, EnumString)]
#[strum(serialize_all = "kebab-case")]
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
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The name in a login's `post_authenticate_action`: the singular.
    #[must_use]
    pub fn intent(self) -> &'static str {
        let name = self.name();
        name.strip_suffix('s').unwrap_or(name)
    }

    /// The kind with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// The kind that a login's intent is about.
    #[must_use]
    pub fn from_intent(intent: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.intent() == intent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_intents_lead_back_to_their_kind() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.name()), Some(kind));
            assert!(!kind.intent().ends_with('s'));
            assert_eq!(Kind::from_intent(kind.intent()), Some(kind));
        }
        assert_eq!(Kind::from_name("favourite"), None);
        assert_eq!(Kind::from_intent("favourites"), None);
    }
}
