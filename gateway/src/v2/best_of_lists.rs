//! `best-of-lists/`: the magazine's ranked choices.

use axum::{extract::State, response::Response};
use chassis::{call::Caller, instant};
use cityguide_proto::places::v1::{self as proto, GetBestOfRequest, ListBestOfRequest};
use serde::Serialize;
use utoipa::ToSchema;

use super::listings::Listing;
use crate::{
    edge::{
        answer::Page,
        error::{ApiError, ErrorBody},
        id::Slug,
        params::Params,
        public::{Address, Ageing, Asked, Made, Tag},
    },
    site::Site,
    state::Edge,
};

const PATH: &str = "/api/v2/best-of-lists/";

/// The query parameters of the list.
pub(super) const KNOWN: &[&str] = &["after", "keywords", "limit", "offset", "ordering"];

/// A list as its card shows it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BestOfList {
    id: i64,
    name: String,
    slug: String,
    /// Its page.
    share_url: String,
    image_url: Option<String>,
    /// Sanitised HTML.
    intro: String,
    /// Places that it ranks.
    count: i64,
    #[schema(format = DateTime)]
    date_published: Option<String>,
}

/// A place of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BestOfEntry {
    /// From 1, the best first.
    rank: i32,
    listing: Listing,
    /// Why it stands there: sanitised HTML, may be empty.
    text: String,
}

/// A list with all that it ranks.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BestOfDetail {
    #[serde(flatten)]
    list: BestOfList,
    /// At most 100, the best first.
    entries: Vec<BestOfEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

impl BestOfList {
    pub(super) fn of(site: &Site, list: proto::BestOfList) -> Self {
        Self {
            id: list.id,
            name: list.name,
            share_url: site.best_of_url(&list.slug),
            slug: list.slug,
            image_url: list.image_url,
            intro: list.intro_html,
            count: list.count,
            date_published: list
                .date_published
                .as_ref()
                .and_then(instant::from_proto)
                .map(instant::to_rfc3339),
        }
    }
}

/// Best-of lists, newest first unless asked otherwise.
#[utoipa::path(get, path = "/api/v2/best-of-lists/", operation_id = "list_best_of_lists",
    tag = "catalogue",
    params(
        ("keywords" = Option<String>, Query, description = "Matched in the name."),
        ("ordering" = Option<String>, Query, pattern = "^(-?(date_published|name))?$", description = "date_published or name; - descends."),
        ("offset" = Option<u32>, Query, description = "0 to 10,000; deeper by following next."),
        ("limit" = Option<u32>, Query, description = "1 to 100; 12 where absent."),
        ("after" = Option<String>, Query, description = "From next, as it is."),
    ),
    responses((status = 200, body = Page<BestOfList>), (status = 304),
        (status = 400, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn list(State(edge): State<Edge>, asked: Asked) -> Result<Response, ApiError> {
    let params = asked.params(KNOWN);
    let address = Address::list(PATH, &params, &[Tag::Areas, Tag::Listings]);
    edge.serve(&asked, address, Ageing::Usual, |edge| page(edge, params))
        .await
}

async fn page(edge: Edge, params: Params) -> Result<Made, ApiError> {
    let page = params.page()?;
    let request = ListBestOfRequest {
        page: Some(page.clone()),
    };
    let request = edge.call(Caller::Guest).request(request);
    let answer = edge.services.places().list_best_of(request).await?;
    let answer = answer.into_inner();
    let lists = answer.lists.into_iter();
    let results: Vec<_> = lists.map(|list| BestOfList::of(&edge.site, list)).collect();
    Made::of(&Page::of(results, answer.page, &page, &params, PATH))
}

/// One list with all that it ranks.
#[utoipa::path(get, path = "/api/v2/best-of-lists/{slug}/", operation_id = "get_best_of_list",
    tag = "catalogue", params(("slug" = String, Path)),
    responses((status = 200, body = BestOfDetail), (status = 304),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn detail(
    State(edge): State<Edge>,
    asked: Asked,
    Slug(slug): Slug,
) -> Result<Response, ApiError> {
    let address = Address::one(PATH, &slug, &[Tag::Areas, Tag::Listings]);
    edge.serve(&asked, address, Ageing::Usual, |edge| one(edge, slug))
        .await
}

async fn one(edge: Edge, slug: String) -> Result<Made, ApiError> {
    let request = edge.call(Caller::Guest).request(GetBestOfRequest { slug });
    let found = edge.services.places().get_best_of(request).await?;
    let found = found.into_inner();
    let entries = found.entries.into_iter().map(|entry| BestOfEntry {
        rank: entry.rank,
        listing: Listing::of(&edge.site, entry.listing.unwrap_or_default()),
        text: entry.text_html,
    });
    Made::of(&BestOfDetail {
        entries: entries.collect(),
        list: BestOfList::of(&edge.site, found.list.unwrap_or_default()),
        server_time: None,
    })
}
