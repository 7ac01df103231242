//! Names and paths of the sitemaps.

use std::fmt::{self, Display};

use editorial_proto::v1::Kind;

use site::Site;

use crate::edge::public::Tag;

pub(in crate::feeds) const INDEX: &str = "/sitemap.xml";
pub(super) const FOLDER: &str = "/sitemaps/";

/// Item kinds with sitemaps: kind, name in paths and section.
pub(super) const ITEMS: [(Kind, &str, Option<&str>); 5] = [
    (Kind::Article, "articles", Some("articles")),
    (Kind::Event, "events", Some("events")),
    (Kind::Contest, "contests", Some("contests")),
    (Kind::Video, "videos", Some("videos")),
    (Kind::Page, "pages", None),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::feeds) enum Sitemap {
    /// The site's own pages.
    Site,
    /// Types of places.
    Types,
    Neighbourhoods,
    BestOf,
    /// The articles of the last two days.
    News,
    /// A block of places.
    Places(u32),
    /// A block of items of a kind.
    Items(Kind, u32),
}

impl Sitemap {
    /// Parses a file name.
    pub(super) fn parse(file: &str) -> Option<Self> {
        let name = file.strip_suffix(".xml")?;
        let (word, block) = match name.rsplit_once('-') {
            Some((word, number)) if is_number(number) => (word, number.parse().ok()),
            _ => (name, None),
        };
        Some(match (word, block) {
            ("site", None) => Self::Site,
            ("types", None) => Self::Types,
            ("neighbourhoods", None) => Self::Neighbourhoods,
            ("best-of", None) => Self::BestOf,
            ("news", None) => Self::News,
            ("places", Some(block)) => Self::Places(block),
            (word, Some(block)) => {
                let (kind, ..) = ITEMS.iter().find(|(_, known, _)| *known == word)?;
                Self::Items(*kind, block)
            }
            _ => return None,
        })
    }

    pub(in crate::feeds) fn path(self) -> String {
        format!("{FOLDER}{self}.xml")
    }

    /// Whether the site has the section that the sitemap lists.
    pub(super) fn is_of(self, site: &Site) -> bool {
        let section = match self {
            Self::Site => None,
            Self::Types | Self::Places(_) => Some("listings"),
            Self::Neighbourhoods => Some("neighbourhoods"),
            Self::BestOf => Some("best_of"),
            Self::News => Some("articles"),
            Self::Items(of, _) => ITEMS
                .iter()
                .find(|(kind, ..)| *kind == of)
                .and_then(|(.., section)| *section),
        };
        section.is_none_or(|section| site.has(section))
    }

    /// Returns the cache tags of the listed objects.
    pub(super) fn tags(self) -> &'static [Tag] {
        match self {
            Self::Site => &[],
            Self::Types | Self::Neighbourhoods => &[Tag::Areas],
            Self::BestOf | Self::Places(_) => &[Tag::Areas, Tag::Listings],
            Self::News | Self::Items(..) => &[Tag::Items],
        }
    }
}

impl Display for Sitemap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Site => f.write_str("site"),
            Self::Types => f.write_str("types"),
            Self::Neighbourhoods => f.write_str("neighbourhoods"),
            Self::BestOf => f.write_str("best-of"),
            Self::News => f.write_str("news"),
            Self::Places(block) => write!(f, "places-{block}"),
            Self::Items(of, block) => {
                let known = ITEMS.iter().find(|(kind, ..)| kind == of);
                write!(f, "{}-{block}", known.map_or("items", |(_, word, _)| word))
            }
        }
    }
}

/// Whether a text is a block number in its canonical form. This ensures that no sitemap has two paths.
fn is_number(text: &str) -> bool {
    text.parse::<u32>()
        .is_ok_and(|number| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sitemap_has_one_name() {
        for sitemap in [
            Sitemap::Site,
            Sitemap::Types,
            Sitemap::Neighbourhoods,
            Sitemap::BestOf,
            Sitemap::News,
            Sitemap::Places(0),
            Sitemap::Items(Kind::Article, 12),
        ] {
            let file = format!("{sitemap}.xml");
            assert_eq!(Sitemap::parse(&file), Some(sitemap), "{file}");
        }
        for file in [
            "site",
            "places.xml",
            "places-01.xml",
            "places-+1.xml",
            "places--1.xml",
            "places-4294967296.xml",
            "site-0.xml",
            "nothing-0.xml",
            "-0.xml",
            ".xml",
        ] {
            assert_eq!(Sitemap::parse(file), None, "{file}");
        }
    }
}
