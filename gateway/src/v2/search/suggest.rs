//! `search/suggest/`: what a query that is still being typed may become.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use cityguide_proto::editorial::v1::{self as proto, SuggestRequest, suggestion::Kind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
    site::Site,
};

const PATH: &str = "/api/v2/search/suggest/";

/// The query parameters.
pub(crate) const KNOWN: &[&str] = &["q"];

/// Suggestions, the best first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Suggestions {
    /// At most 8.
    results: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// One suggestion.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct Suggestion {
    text: String,
    kind: SuggestionKind,
    /// Its page; null of a query.
    share_url: Option<String>,
}

/// What is suggested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum SuggestionKind {
    Listing,
    BestOfList,
    Article,
    Event,
    Video,
    ListingType,
    Neighbourhood,
    Query,
}

impl SuggestionKind {
    /// The kind, and the section that it belongs to; a query belongs to none.
    fn of(kind: Kind) -> (Self, Option<&'static str>) {
        match kind {
            Kind::Unspecified | Kind::Query => (Self::Query, None),
            Kind::Listing => (Self::Listing, Some("listings")),
            Kind::BestOfList => (Self::BestOfList, Some("best_of")),
            Kind::Article => (Self::Article, Some("articles")),
            Kind::Event => (Self::Event, Some("events")),
            Kind::Video => (Self::Video, Some("videos")),
            Kind::Type => (Self::ListingType, Some("listings")),
            Kind::Neighbourhood => (Self::Neighbourhood, Some("listings")),
        }
    }
}

/// What a query that is still being typed may become: things, types and neighbourhoods, or the query with its mistakes
/// corrected.
#[utoipa::path(get, path = "/api/v2/search/suggest/", operation_id = "suggest", tag = "catalogue",
    params(("q" = Option<String>, Query, max_length = 200, description = "What has been typed so far.")),
    responses((status = 200, body = Suggestions), (status = 304), (status = 400, body = ErrorBody),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn suggest(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[Tag::Areas, Tag::Listings, Tag::Items]);
    // As for searches: the index follows a change within a second.
    catalogue
        .serve(&request, key, Freshness::Typed, |catalogue| {
            suggestions(catalogue, params)
        })
        .await
}

async fn suggestions(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
    let request = catalogue.request(SuggestRequest {
        query: params.text("q")?.unwrap_or_default().to_owned(),
    });
    let found = catalogue.services.search().suggest(request).await?;
    let found = found.into_inner().suggestions.into_iter();
    Content::json(&Suggestions {
        results: found
            .filter_map(|one| suggestion(&catalogue.site, one))
            .collect(),
        server_time: None,
    })
}

/// A suggestion; `None` if its section is off.
fn suggestion(site: &Site, found: proto::Suggestion) -> Option<Suggestion> {
    let (kind, section) = SuggestionKind::of(found.kind());
    if section.is_some_and(|section| !site.has(section)) {
        return None;
    }
    let path = Some(found.path).filter(|path| !path.is_empty());
    Some(Suggestion {
        text: found.text,
        kind,
        share_url: path.map(|path| site.path_from_places(&path)),
    })
}
