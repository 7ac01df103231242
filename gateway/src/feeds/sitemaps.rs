//! Sitemaps (sitemaps.org): an index and, for each kind of page, one or more sitemaps. Each contains a block of ids, so
//! that all blocks cost the same. Google's news sitemap is separate.

mod addresses;
mod name;

pub(super) use self::name::{INDEX, Sitemap};

use std::sync::Arc;

use std::fmt::Display;

use axum::{
    extract::{Path, State},
    response::Response,
};
use chassis::{
    blocks,
    error::{Code, Fault},
};
use editorial_proto::v1 as editorial;
use places_proto::v1 as places;
use sitemap_rs::{sitemap::Sitemap as Listed, sitemap_index::SitemapIndex, url_set::UrlSet};

use self::name::{FOLDER, ITEMS};
use crate::{
    catalogue::Catalogue,
    edge::{
        error::ApiError,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

const CONTENT_TYPE: &str = "application/xml; charset=utf-8";

/// GET `/sitemap.xml`.
pub(super) async fn index(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let tags = &[Tag::Areas, Tag::Listings, Tag::Items];
    let key = CacheKey::list(INDEX, &request.params(&[]), tags);
    catalogue
        .serve(&request, key, Freshness::Usual, render_index)
        .await
}

/// Lists the sitemaps that are not empty, except the news sitemap, whose articles are in the article sitemaps.
async fn render_index(catalogue: Arc<Catalogue>) -> Result<Content, ApiError> {
    let site = &catalogue.site;
    let mut there = vec![Sitemap::Site];
    let alone = [Sitemap::Types, Sitemap::Neighbourhoods, Sitemap::BestOf];
    for sitemap in alone.into_iter().filter(|sitemap| sitemap.is_of(site)) {
        if !addresses::list(&catalogue, sitemap).await?.is_empty() {
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
    let index = SitemapIndex::new(listed.collect()).map_err(unrenderable)?;
    let mut text = Vec::new();
    index.write(&mut text).map_err(unrenderable)?;
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
            render_sitemap(catalogue, sitemap)
        })
        .await
}

async fn render_sitemap(catalogue: Arc<Catalogue>, sitemap: Sitemap) -> Result<Content, ApiError> {
    let (urls, until) = match sitemap {
        Sitemap::News => addresses::news(&catalogue).await?,
        sitemap => (addresses::list(&catalogue, sitemap).await?, None),
    };
    // The index omits empty blocks as well. The news sitemap may be empty for days.
    if urls.is_empty() && sitemap != Sitemap::News {
        return Err(ApiError::not_found());
    }
    let set = UrlSet::new(urls).map_err(unrenderable)?;
    let mut text = Vec::new();
    set.write(&mut text).map_err(unrenderable)?;
    Ok(document(text)?.until(until))
}

fn document(text: Vec<u8>) -> Result<Content, ApiError> {
    let text = String::from_utf8(text).map_err(unrenderable)?;
    Ok(Content::document(CONTENT_TYPE, text))
}

fn unrenderable(error: impl Display) -> ApiError {
    Fault::new(
        Code::Internal,
        format!("a sitemap cannot be rendered: {error}"),
    )
    .into()
}
