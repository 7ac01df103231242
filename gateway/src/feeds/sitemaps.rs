//! Sitemaps (sitemaps.org): an index, and below it one sitemap or more for each kind of page, each of a
//! block of ids, so that the last costs no more than the first. Google's news sitemap stands beside them.

mod addresses;

use std::sync::Arc;

use std::fmt::{self, Display};

use axum::{
    extract::{Path, State},
    response::Response,
};
use chassis::{
    blocks,
    error::{Code, Fault},
};
use cityguide_proto::{
    editorial::v1::{self as editorial, Kind},
    places::v1 as places,
};
use sitemap_rs::{sitemap::Sitemap as Listed, sitemap_index::SitemapIndex, url_set::UrlSet};

use crate::{
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    site::Site,
};

pub(super) const INDEX: &str = "/sitemap.xml";
const FOLDER: &str = "/sitemaps/";
const CONTENT_TYPE: &str = "application/xml; charset=utf-8";

/// Items of these kinds have sitemaps: a kind, its word, and its section.
const ITEMS: [(Kind, &str, Option<&str>); 5] = [
    (Kind::Article, "articles", Some("articles")),
    (Kind::Event, "events", Some("events")),
    (Kind::Contest, "contests", Some("contests")),
    (Kind::Video, "videos", Some("videos")),
    (Kind::Page, "pages", None),
];

/// Which sitemap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sitemap {
    /// The pages that the site has by itself.
    Site,
    /// Types of places.
    Types,
    Neighbourhoods,
    BestOf,
    /// The articles of the last two days.
    News,
    /// Places, a block of them.
    Places(u32),
    /// Items of a kind, a block of them.
    Items(Kind, u32),
}

impl Sitemap {
    /// Reads a file's name.
    fn parse(file: &str) -> Option<Self> {
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

    pub(super) fn path(self) -> String {
        format!("{FOLDER}{self}.xml")
    }

    /// Whether the site has what it lists.
    fn is_of(self, site: &Site) -> bool {
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

    /// What it shows.
    fn tags(self) -> &'static [Tag] {
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

/// A block's number as its address writes it; nothing has two addresses.
fn is_number(text: &str) -> bool {
    text.parse::<u32>()
        .is_ok_and(|number| number.to_string() == text)
}

/// GET `/sitemap.xml`.
pub(super) async fn index(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let tags = &[Tag::Areas, Tag::Listings, Tag::Items];
    let key = CacheKey::list(INDEX, &request.params(&[]), tags);
    catalogue
        .serve(&request, key, Freshness::Usual, written_index)
        .await
}

/// The sitemaps that hold something. The news are no part of it: what they list is in the articles' too.
async fn written_index(catalogue: Arc<Catalogue>) -> Result<Content, ApiError> {
    let site = &catalogue.site;
    let mut there = vec![Sitemap::Site];
    let alone = [Sitemap::Types, Sitemap::Neighbourhoods, Sitemap::BestOf];
    for sitemap in alone.into_iter().filter(|sitemap| sitemap.is_of(site)) {
        if !addresses::of(&catalogue, sitemap).await?.is_empty() {
            there.push(sitemap);
        }
    }
    if site.has("listings") {
        let request = catalogue.request(places::ListBlocksRequest {
            size: blocks::MAX_SIZE,
        });
        let blocks = catalogue.services.places().list_blocks(request).await?;
        let blocks = blocks.into_inner().numbers;
        there.extend(blocks.into_iter().map(Sitemap::Places));
    }
    for (kind, ..) in ITEMS {
        if !Sitemap::Items(kind, 0).is_of(site) {
            continue;
        }
        let request = catalogue.request(editorial::ListBlocksRequest {
            kind: kind.into(),
            size: blocks::MAX_SIZE,
        });
        let blocks = catalogue.services.editorial().list_blocks(request).await?;
        let blocks = blocks.into_inner().numbers;
        there.extend(blocks.into_iter().map(|block| Sitemap::Items(kind, block)));
    }
    let origin = catalogue.origin.as_str();
    let listed = there
        .into_iter()
        .map(|sitemap| Listed::new(format!("{origin}{}", sitemap.path()), None));
    let index = SitemapIndex::new(listed.collect()).map_err(unwritten)?;
    let mut text = Vec::new();
    index.write(&mut text).map_err(unwritten)?;
    document(text)
}

/// GET `/sitemaps/{name}.xml`.
pub(super) async fn sitemap(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Path(file): Path<String>,
) -> Result<Response, ApiError> {
    let sitemap = Sitemap::parse(&file).ok_or_else(ApiError::not_found)?;
    if !sitemap.is_of(&catalogue.site) {
        return Err(ApiError::not_found());
    }
    let key = CacheKey::one(FOLDER, sitemap, sitemap.tags());
    catalogue
        .serve(&request, key, Freshness::Usual, move |catalogue| {
            written_sitemap(catalogue, sitemap)
        })
        .await
}

async fn written_sitemap(catalogue: Arc<Catalogue>, sitemap: Sitemap) -> Result<Content, ApiError> {
    let (urls, until) = match sitemap {
        Sitemap::News => addresses::news(&catalogue).await?,
        sitemap => (addresses::of(&catalogue, sitemap).await?, None),
    };
    // A block that holds nothing is not listed either; of the news there may be none for days.
    if urls.is_empty() && sitemap != Sitemap::News {
        return Err(ApiError::not_found());
    }
    let set = UrlSet::new(urls).map_err(unwritten)?;
    let mut text = Vec::new();
    set.write(&mut text).map_err(unwritten)?;
    Ok(document(text)?.until(until))
}

fn document(text: Vec<u8>) -> Result<Content, ApiError> {
    let text = String::from_utf8(text).map_err(unwritten)?;
    Ok(Content::document(CONTENT_TYPE, text))
}

fn unwritten(error: impl Display) -> ApiError {
    Fault::new(
        Code::Internal,
        format!("a sitemap cannot be written: {error}"),
    )
    .into()
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
