//! The kinds of items.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Article,
    Event,
    Contest,
    Video,
    Page,
}

impl Kind {
    /// Returns the kind's name in the database and in events.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Event => "event",
            Self::Contest => "contest",
            Self::Video => "video",
            Self::Page => "page",
        }
    }

    /// Parses the result of [`Kind::as_str`].
    pub(crate) fn parse(text: &str) -> Option<Self> {
        [
            Self::Article,
            Self::Event,
            Self::Contest,
            Self::Video,
            Self::Page,
        ]
        .into_iter()
        .find(|kind| kind.as_str() == text)
    }
}

impl chassis::intake::Kind for Kind {
    fn plural(self) -> &'static str {
        match self {
            Self::Article => "articles",
            Self::Event => "events",
            Self::Contest => "contests",
            Self::Video => "videos",
            Self::Page => "pages",
        }
    }

    fn namespace(self) -> &'static str {
        "items"
    }
}
