//! `search/suggest/`: suggestions while a query is typed.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use editorial_proto::v1::{SuggestRequest, suggestion::Kind};
use serde::{Deserialize, Serialize};
use site::Site;
use suggestions::{DocumentKind, Suggestion as Suggested, Target};
use utoipa::ToSchema;

use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

const PATH: &str = "/api/v2/search/suggest/";

/// Query parameters.
pub(crate) const KNOWN: &[&str] = &["q"];

/// Suggestions, best first.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Suggestions {
    /// At most 8.
    results: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// A suggested object, or a query.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct Suggestion {
    text: String,
    kind: SuggestionKind,
    /// Path of the object's page; null for a query.
    share_url: Option<String>,
}

/// The kind of a suggestion.
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
    /// Returns the kind and its section; a query has no section.
    fn of(target: Target) -> (Self, Option<&'static str>) {
        match target {
            Target::Query => (Self::Query, None),
            Target::Type => (Self::ListingType, Some("listings")),
            Target::Neighbourhood => (Self::Neighbourhood, Some("listings")),
            Target::Document(kind) => match kind {
                DocumentKind::Listing => (Self::Listing, Some("listings")),
                DocumentKind::BestOfList => (Self::BestOfList, Some("best_of")),
                DocumentKind::Article => (Self::Article, Some("articles")),
                DocumentKind::Event => (Self::Event, Some("events")),
                DocumentKind::Video => (Self::Video, Some("videos")),
            },
        }
    }
}

/// Suggestions for a partly typed query: objects, types and neighbourhoods, or the corrected query.
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
    // As in search, the index is updated within a second of a change.
    catalogue
        .serve(&request, key, Freshness::Typed, |catalogue| {
            suggestions(catalogue, params)
        })
        .await
}

async fn suggestions(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
    let query = params.text("q")?.unwrap_or_default();
    let found = match catalogue.suggester.suggestions(query) {
        Some(found) => found,
        None => asked(&catalogue, query).await?,
    };
    let found = found.into_iter();
    Content::json(&Suggestions {
        results: found
            .filter_map(|one| suggestion(&catalogue.site, one))
            .collect(),
        server_time: None,
    })
}

/// Fetches suggestions from the service.
async fn asked(catalogue: &Catalogue, query: &str) -> Result<Vec<Suggested>, ApiError> {
    let request = catalogue.request(SuggestRequest {
        query: query.to_owned(),
    });
    let found = catalogue.services.search().suggest(request).await?;
    let found = found.into_inner().suggestions.into_iter();
    Ok(found
        .map(|one| Suggested {
            target: target(one.kind()),
            text: one.text,
            path: one.path,
        })
        .collect())
}

fn target(kind: Kind) -> Target {
    match kind {
        Kind::Unspecified | Kind::Query => Target::Query,
        Kind::Listing => Target::Document(DocumentKind::Listing),
        Kind::BestOfList => Target::Document(DocumentKind::BestOfList),
        Kind::Article => Target::Document(DocumentKind::Article),
        Kind::Event => Target::Document(DocumentKind::Event),
        Kind::Video => Target::Document(DocumentKind::Video),
        Kind::Type => Target::Type,
        Kind::Neighbourhood => Target::Neighbourhood,
    }
}

/// Converts a suggestion; `None` if its section is disabled.
fn suggestion(site: &Site, found: Suggested) -> Option<Suggestion> {
    let (kind, section) = SuggestionKind::of(found.target);
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
