//! The kinds of documents that can be found.

/// The kinds of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// A place.
    Listing,
    /// A best-of list.
    BestOfList,
    /// An article.
    Article,
    /// An event.
    Event,
    /// A video.
    Video,
}

impl DocumentKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Listing,
        Self::BestOfList,
        Self::Article,
        Self::Event,
        Self::Video,
    ];

    /// The kind's name in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Listing => "listing",
            Self::BestOfList => "best_of_list",
            Self::Article => "article",
            Self::Event => "event",
            Self::Video => "video",
        }
    }

    /// Parses the name that [`DocumentKind::as_str`] returns.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}
