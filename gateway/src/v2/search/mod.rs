//! `search/`: full-text search in best-of lists, articles, places, events and videos.

pub(crate) mod found;
pub(crate) mod suggest;

use std::sync::Arc;

use axum::{extract::State, response::Response};
use editorial_proto::v1::{self as proto, FoundKind, NoteMissRequest, Position, SearchRequest};
use serde::{Deserialize, Serialize};
use site::Site;
use utoipa::ToSchema;

use self::found::Found;
use super::{call::PublicCall, time};
use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        limits::{Client, SEARCHES},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

const PATH: &str = "/api/v2/search/";

/// Query parameters.
pub(super) const KNOWN: &[&str] = &["category", "limit", "near", "offset", "q"];

/// Search categories with their sections and kinds.
const CATEGORIES: [(&str, &str, FoundKind); 5] = [
    ("best-of", "best_of", FoundKind::BestOfList),
    ("articles", "articles", FoundKind::Article),
    ("places", "listings", FoundKind::Listing),
    ("events", "events", FoundKind::Event),
    ("videos", "videos", FoundKind::Video),
];

/// A page of results.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct SearchPage {
    /// Best match first.
    pub(crate) results: Vec<Found>,
    /// Total number of results; -1 if there are more than 300, of which only the best 300 are available.
    pub(crate) count: i64,
    /// Address of the next page, to be used unchanged; null on the last page.
    next: Option<String>,
    /// The corrected query, if it had a misspelt word.
    pub(crate) corrected: Option<String>,
    pub(crate) understood: Understood,
    /// When the content was computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// Filters found in the query.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Understood {
    /// A type's slug.
    r#type: Option<String>,
    /// A neighbourhood's slug.
    neighbourhood: Option<String>,
    /// An author's slug.
    author: Option<String>,
    /// Whether to find only places that are open now.
    open_now: bool,
    /// Whether the query asks for places near the reader, whose position is known only if `near` is given.
    pub(crate) near: bool,
    /// Only events that end after this time.
    #[schema(format = DateTime)]
    from: Option<String>,
    /// Only events that begin before this time.
    #[schema(format = DateTime)]
    to: Option<String>,
    /// Whether to find only free events.
    free: bool,
    /// The parts of the query that were used as filters.
    pub(crate) taken: Vec<Taken>,
}

/// A part of a query that was used as a filter.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Taken {
    /// `type`, `neighbourhood`, `author`, `open_now`, `near`, `time` or `free`.
    field: String,
    /// Display text: "Kensington Market", "Open now", "This weekend".
    pub(crate) label: String,
    /// The query without this part.
    pub(crate) rest: String,
}

/// The call for a page of results.
pub(crate) fn call(query: &[(&str, &str)]) -> PublicCall<SearchPage> {
    PublicCall::new(PATH, query)
}

/// The kinds of a category whose sections are enabled.
fn kinds(site: &Site, category: &str) -> Vec<FoundKind> {
    CATEGORIES
        .into_iter()
        .filter(|(name, section, _)| site.has(section) && ["all", name].contains(&category))
        .map(|(_, _, kind)| kind)
        .collect()
}

/// Searches the guide, best match first. Ignores accents and small spelling mistakes. Outside quotation marks, "open
/// now", "near me", "tonight", "this weekend", "free", types, neighbourhoods and authors are used as filters.
#[utoipa::path(get, path = "/api/v2/search/", operation_id = "search", tag = "catalogue",
    params(
        ("q" = Option<String>, Query, max_length = 200, description = "What to look for; without it nothing is found."),
        ("category" = Option<String>, Query, pattern = "^(all|best-of|articles|places|events|videos)?$", description = "all, best-of, articles, places, events or videos."),
        ("near" = Option<String>, Query, pattern = "^(-?[0-8]?[0-9](\\.[0-9]{1,9})?,-?(1[0-7]|[0-9])?[0-9](\\.[0-9]{1,9})?)?$", description = "The reader's position, lat,lng in degrees: near things come first, places with their distance."),
        ("offset" = Option<u32>, Query, maximum = 10000, description = "0 to 10,000; there is nothing beyond the 300 best."),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100, description = "1 to 100; 12 if absent."),
    ),
    responses((status = 200, body = SearchPage), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn search(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let request = request.limited_by(SEARCHES);
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[Tag::Areas, Tag::Listings, Tag::Items]);
    let client = request.client.clone();
    // Needs the short freshness: the index is updated within a second of a change, and an answer may have been cached
    // before that.
    catalogue
        .serve(&request, key, Freshness::Typed, |catalogue| {
            page(catalogue, params, client)
        })
        .await
}

async fn page(
    catalogue: Arc<Catalogue>,
    params: Params,
    client: Option<Client>,
) -> Result<Content, ApiError> {
    let names: Vec<&str> = CATEGORIES
        .iter()
        .map(|(name, ..)| *name)
        .chain(["all"])
        .collect();
    let category = params.one_of("category", &names)?.unwrap_or("all");
    let bounds = params.page()?;
    let near = params.position("near")?;
    let kinds = kinds(&catalogue.site, category);
    let request = SearchRequest {
        query: params.text("q")?.unwrap_or_default().to_owned(),
        kinds: kinds.into_iter().map(Into::into).collect(),
        near: near.map(|at| Position {
            latitude: at.latitude,
            longitude: at.longitude,
        }),
        zone: catalogue.site.timezone.name().to_owned(),
        offset: bounds.offset,
        limit: bounds.limit,
    };
    let answer = catalogue
        .services
        .search()
        .search(catalogue.request(request))
        .await?;
    let answer = answer.into_inner();
    let is_miss = answer.count == 0 && bounds.offset == 0 && category == "all" && near.is_none();
    if let Some(client) = client.filter(|_| is_miss) {
        let miss = NoteMissRequest {
            query: params.text("q")?.unwrap_or_default().to_owned(),
            network: client.network().to_owned(),
        };
        // A failure to count the miss must not fail the search.
        drop(
            catalogue
                .services
                .search()
                .note_miss(catalogue.request(miss))
                .await,
        );
    }
    let results = found::things(&catalogue, answer.hits).await?;
    let next = bounds.offset.saturating_add(bounds.limit);
    Content::json(&SearchPage {
        results,
        count: answer.count,
        next: answer.has_more.then(|| params.at_offset(PATH, next)),
        corrected: Some(answer.corrected).filter(|corrected| !corrected.is_empty()),
        understood: answer.understood.unwrap_or_default().into(),
        server_time: None,
    })
}

impl From<proto::Understood> for Understood {
    fn from(understood: proto::Understood) -> Self {
        let slug = |slug: String| Some(slug).filter(|slug| !slug.is_empty());
        let taken = understood.taken.into_iter();
        Self {
            r#type: slug(understood.r#type),
            neighbourhood: slug(understood.neighbourhood),
            author: slug(understood.author),
            open_now: understood.open_now,
            near: understood.near,
            from: time::text(understood.from.as_ref()),
            to: time::text(understood.to.as_ref()),
            free: understood.free,
            taken: taken
                .map(|proto::Taken { field, label, rest }| Taken { field, label, rest })
                .collect(),
        }
    }
}
