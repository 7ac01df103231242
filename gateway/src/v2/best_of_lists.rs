//! `best-of-lists/`: the magazine's ranked choices.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use places_proto::v1::{self as proto, GetBestOfRequest, ListBestOfRequest};
use serde::{Deserialize, Serialize};
use site::Site;
use utoipa::ToSchema;

use super::{call::PublicCall, listing::Listing, time};
use crate::{
    catalogue::Catalogue,
    edge::{
        answer::{Page, PageParams},
        error::{ApiError, ErrorBody},
        id::Slug,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    words::{dates, this_year::ThisYear},
};

const PATH: &str = "/api/v2/best-of-lists/";

/// Query parameters of the list.
pub(super) const KNOWN: &[&str] = &["after", "keywords", "limit", "offset", "ordering"];

/// A best-of list as shown in lists.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct BestOfList {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) slug: String,
    /// Path of the object's page.
    pub(crate) share_url: String,
    /// Address of the picture. If it ends with `/whole` (at most 1600 pixels wide), the endings `/300x200`, `/600x400`
    /// and `/720x480` return cropped versions.
    pub(crate) image_url: Option<String>,
    /// Sanitised HTML.
    pub(crate) intro: String,
    /// The beginning of `intro` as plain text; empty without an introduction.
    pub(crate) line: String,
    /// Number of ranked places.
    pub(crate) count: i64,
    #[schema(format = DateTime)]
    pub(crate) date_published: Option<String>,
    /// The date of `date_published` in the site's time zone, in words: "November 20", "November 20, 2025".
    pub(crate) published_on: Option<String>,
}

/// A place in a list.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct BestOfEntry {
    /// Rank, starting with 1 for the best.
    pub(crate) rank: i32,
    pub(crate) listing: Listing,
    /// Sanitised HTML about the place; may be empty.
    pub(crate) text: String,
}

/// A best-of list with its places.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct BestOfDetail {
    #[serde(flatten)]
    pub(crate) list: BestOfList,
    /// At most 100 places, best first.
    pub(crate) entries: Vec<BestOfEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

impl BestOfList {
    pub(super) fn new(site: &Site, year: &ThisYear, list: proto::BestOfList) -> Self {
        let published = time::text(list.date_published.as_ref());
        Self {
            id: list.id,
            name: list.name,
            share_url: site.best_of_url(&list.slug),
            slug: list.slug,
            image_url: list.image_url,
            intro: list.intro_html,
            line: list.line,
            count: list.count,
            published_on: dates::day_of(published.as_deref(), site.timezone)
                .map(|day| year.omitted_from(&day)),
            date_published: published,
        }
    }
}

/// The call for a page of best-of lists.
pub(crate) fn list_call(query: &[(&str, &str)]) -> PublicCall<Page<BestOfList>> {
    PublicCall::new(PATH, query)
}

/// The call for a best-of list with its places.
pub(crate) fn detail_call(slug: &str) -> PublicCall<BestOfDetail> {
    PublicCall::new(&format!("{PATH}{slug}/"), &[])
}

/// Best-of lists, by default newest first.
#[utoipa::path(get, path = "/api/v2/best-of-lists/", operation_id = "list_best_of_lists",
    tag = "catalogue",
    params(
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|name))?$", description = "date_published or name; - descends."),
        PageParams,
    ),
    responses((status = 200, body = Page<BestOfList>), (status = 304),
        (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[Tag::Areas, Tag::Listings]);
    catalogue
        .serve(&request, key, Freshness::Usual, |catalogue| {
            page(catalogue, params)
        })
        .await
}

async fn page(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
    let page = params.page()?;
    let request = ListBestOfRequest {
        ids: Vec::new(),
        page: Some(page.clone()),
    };
    let request = catalogue.request(request);
    let answer = catalogue.services.places().list_best_of(request).await?;
    let answer = answer.into_inner();
    let lists = answer.lists.into_iter();
    let year = catalogue.this_year();
    let results: Vec<_> = lists
        .map(|list| BestOfList::new(&catalogue.site, &year, list))
        .collect();
    Content::json(&Page::new(results, answer.page, &page, &params, PATH))
}

/// A best-of list with its places.
#[utoipa::path(get, path = "/api/v2/best-of-lists/{slug}/", operation_id = "get_best_of_list",
    tag = "catalogue", params(("slug" = String, Path)),
    responses((status = 200, body = BestOfDetail), (status = 304),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Slug(slug): Slug,
) -> Result<Response, ApiError> {
    let key = CacheKey::one(PATH, &slug, &[Tag::Areas, Tag::Listings]);
    catalogue
        .serve(&request, key, Freshness::Usual, |catalogue| {
            one(catalogue, slug)
        })
        .await
}

async fn one(catalogue: Arc<Catalogue>, slug: String) -> Result<Content, ApiError> {
    let request = catalogue.request(GetBestOfRequest { slug });
    let found = catalogue.services.places().get_best_of(request).await?;
    let found = found.into_inner();
    let entries = found.entries.into_iter().map(|entry| BestOfEntry {
        rank: entry.rank,
        listing: Listing::new(&catalogue.site, entry.listing.unwrap_or_default()),
        text: entry.text_html,
    });
    Content::json(&BestOfDetail {
        entries: entries.collect(),
        list: BestOfList::new(
            &catalogue.site,
            &catalogue.this_year(),
            found.list.unwrap_or_default(),
        ),
        server_time: None,
    })
}
