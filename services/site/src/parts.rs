//! Parts of a site's file.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The kind of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// A city guide.
    Guide,
    /// A general news site.
    News,
}

impl Variant {
    /// Returns the variant's name in settings and style sheets.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Guide => "guide",
            Self::News => "news",
        }
    }
}

impl Accent {
    /// Returns the colour's name in settings and style sheets.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Streetcar => "streetcar",
            Self::DeepBlue => "deep-blue",
        }
    }
}

/// The accent colour of the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Accent {
    /// Red.
    Streetcar,
    /// Blue.
    DeepBlue,
}

impl Accent {
    /// The colour on light backgrounds: `--accent` in the web application's `tokens.css`. White text on it is legible.
    #[must_use]
    pub fn color(self) -> &'static str {
        match self {
            Self::Streetcar => "#b3201f",
            Self::DeepBlue => "#1b3f8f",
        }
    }
}

/// An entry in the navigation bar.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NavigationLink {
    /// Text of the link.
    pub label: String,
    /// Path on this site, or an address if `external` is set.
    pub href: String,
    /// Whether the link points to another site.
    #[serde(default)]
    pub external: bool,
    /// Required section of the link, if its path does not imply it.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub section: Option<String>,
}

/// An entry in the footer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FooterLink {
    /// Text of the link.
    pub label: String,
    /// Path on this site.
    pub href: String,
    /// Whether the link opens in a new tab.
    #[serde(default)]
    pub new_tab: bool,
    /// Required section of the link, if its path does not imply it.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub section: Option<String>,
}

/// A link to a page of this site or of another site.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Text of the link.
    pub label: String,
    /// Path on this site, or an address.
    pub href: String,
}

/// The section whose page lists the articles of all sections: "All News" in the menu.
pub const ALL_ARTICLES: &str = "news";

/// A section of articles.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArticleSection {
    /// First path segment of its articles.
    pub slug: String,
    /// Name for readers.
    pub name: String,
}

/// The content of a block of the home page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HomeBlockKind {
    /// The newest articles; the first is large.
    Lead,
    /// A row of articles, optionally from one section.
    Articles,
    /// The most recently reviewed places.
    Reviews,
    /// The newest places, optionally of one type.
    Places,
    /// The newest best-of lists.
    BestOf,
    /// The next events.
    Events,
    /// Open contests.
    Contests,
    /// The newest videos.
    Videos,
    /// The neighbourhoods.
    Neighbourhoods,
}

impl HomeBlockKind {
    /// Returns the section that the block needs.
    pub(crate) fn section(self) -> &'static str {
        match self {
            Self::Lead | Self::Articles => "articles",
            Self::Reviews | Self::Places => "listings",
            Self::BestOf => "best_of",
            Self::Events => "events",
            Self::Contests => "contests",
            Self::Videos => "videos",
            Self::Neighbourhoods => "neighbourhoods",
        }
    }
}

/// A block of the home page.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HomeBlock {
    /// Content of the block.
    pub kind: HomeBlockKind,
    /// Heading; none if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Path that the heading links to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Only articles from this section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Only places of this type.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub listing_type: Option<String>,
    /// Number of items, 1 to 24.
    pub limit: u8,
}

/// Whether a link points to a page of this site.
pub(crate) fn is_path(href: &str) -> bool {
    href.starts_with('/') && !href.starts_with("//")
}

/// Whether a link is a full web address.
pub(crate) fn is_address(href: &str) -> bool {
    href.starts_with("https://") || href.starts_with("http://")
}
