//! Ad requests: a page and its slots.

use crate::size::Size;

/// A page that requests ads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageContext {
    /// The kind of page.
    pub page: String,
    /// The section, if the page is an article.
    pub section: Option<String>,
    /// The id of the article.
    pub article_id: Option<i64>,
    /// The type of the place.
    pub listing_type: Option<String>,
    /// The neighbourhood.
    pub neighbourhood: Option<String>,
    /// The page's tags.
    pub keywords: Vec<String>,
    /// The reader's screen type.
    pub screen: String,
}

/// A slot on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// The name of the slot.
    pub position: String,
    /// The accepted sizes.
    pub sizes: Vec<Size>,
}
