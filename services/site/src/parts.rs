//! The parts of a site's file.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which of the two kinds of site this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// A city guide.
    Guide,
    /// A general news site.
    News,
}

impl Variant {
    /// Its name in settings and style sheets.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Guide => "guide",
            Self::News => "news",
        }
    }
}

impl Accent {
    /// Its name in settings and style sheets.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Streetcar => "streetcar",
            Self::DeepBlue => "deep-blue",
        }
    }
}

/// The one accent colour of the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Accent {
    /// The guide's red.
    Streetcar,
    /// The news site's blue.
    DeepBlue,
}

/// An entry of the navigation bar.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NavigationLink {
    /// The text of the link.
    pub label: String,
    /// A path of this site, or an address if `external`.
    pub href: String,
    /// Whether it leads to another site.
    #[serde(default)]
    pub external: bool,
    /// The section without which it leads nowhere, where its path alone does not tell.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub section: Option<String>,
}

/// An entry of the footer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FooterLink {
    /// The text of the link.
    pub label: String,
    /// A path of this site.
    pub href: String,
    /// Whether it opens in a new tab.
    #[serde(default)]
    pub new_tab: bool,
    /// The section without which it leads nowhere, where its path alone does not tell.
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub section: Option<String>,
}

/// A link away from the site, or a page of its own.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// The text of the link.
    pub label: String,
    /// A path of this site, or an address.
    pub href: String,
}

/// A section of articles.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArticleSection {
    /// The first word of its articles' paths.
    pub slug: String,
    /// The name that readers see.
    pub name: String,
}

/// The content of a block of the home page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HomeBlockKind {
    /// The newest articles, the first of them large.
    Lead,
    /// Articles in a row; of one section if it is named.
    Articles,
    /// The places that were reviewed last.
    Reviews,
    /// The newest places; of one type if it is named.
    Places,
    /// The newest best-of lists.
    BestOf,
    /// The next events.
    Events,
    /// Contests that can be entered.
    Contests,
    /// The newest videos.
    Videos,
    /// The parts of the city.
    Neighbourhoods,
}

impl HomeBlockKind {
    /// The section without which there is no such block.
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
    /// What it shows.
    pub kind: HomeBlockKind,
    /// If absent, it has no heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The path that its heading links to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Only articles of this section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Only places of this type.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub listing_type: Option<String>,
    /// Items that it shows, 1 to 24.
    pub limit: u8,
}

/// Whether a link leads to a page of the site itself.
pub(crate) fn is_path(href: &str) -> bool {
    href.starts_with('/') && !href.starts_with("//")
}

/// Whether a link leads to a page of any site.
pub(crate) fn is_address(href: &str) -> bool {
    href.starts_with("https://") || href.starts_with("http://")
}
