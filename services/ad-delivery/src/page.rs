//! What asks for ads: a page and its slots.

use crate::size::Size;

/// A page that asks for ads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageContext {
    /// Its kind.
    pub page: String,
    /// The section of an article.
    pub section: Option<String>,
    /// The article.
    pub article_id: Option<i64>,
    /// The type of a place.
    pub listing_type: Option<String>,
    /// A part of the city.
    pub neighbourhood: Option<String>,
    /// Its tags.
    pub keywords: Vec<String>,
    /// The screen type.
    pub screen: String,
}

/// A slot of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Its name on the page.
    pub position: String,
    /// The sizes that it takes.
    pub sizes: Vec<Size>,
}
