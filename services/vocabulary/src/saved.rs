//! Kinds of objects that readers save.

use strum::{EnumString, IntoStaticStr};

/// A kind of saved object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, IntoStaticStr, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum Kind {
    /// Articles to read later.
    ArticleBookmarks,
    /// Events to go to.
    EventBookmarks,
    /// Favourite places.
    Favourites,
    /// A reader's votes for places.
    Ratings,
    /// Places to visit.
    Todos,
    /// Videos to watch.
    VideoBookmarks,
}

impl Kind {
    /// All kinds, by name.
    pub const ALL: [Self; 6] = [
        Self::ArticleBookmarks,
        Self::EventBookmarks,
        Self::Favourites,
        Self::Ratings,
        Self::Todos,
        Self::VideoBookmarks,
    ];

    /// Returns the kind's name in `last_updates`, events and stamps.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the singular name in a log-in's `post_authenticate_action`.
    #[must_use]
    pub fn intent(self) -> &'static str {
        let name = self.name();
        name.strip_suffix('s').unwrap_or(name)
    }

    /// Returns the kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// Returns the kind of a log-in's intent.
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
