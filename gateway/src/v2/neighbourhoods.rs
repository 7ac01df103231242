//! GET `neighbourhoods/`: neighbourhoods of the city.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use chassis::{
    error::{Code, Fault},
    instant,
};
use places_proto::v1::{self as proto, GetNeighbourhoodRequest, ListNeighbourhoodsRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    call::PublicCall,
    items::{articles::Article, events::Event, resource::INCOMPLETE, rows},
    listing::Listing,
    tonight::Day,
};
use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        id::Slug,
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

const PATH: &str = "/api/v2/neighbourhoods/";

/// A neighbourhood of the city.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Neighbourhood {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) share_url: String,
    /// Number of places in the neighbourhood.
    pub(crate) count: i64,
}

/// A neighbourhood with its boundary.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NeighbourhoodDetail {
    #[serde(flatten)]
    neighbourhood: Neighbourhood,
    /// A GeoJSON geometry (RFC 7946): `Polygon` or `MultiPolygon`, with longitude before latitude.
    #[schema(value_type = Object)]
    boundary: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// The content of a neighbourhood's page.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct NeighbourhoodPortrait {
    #[serde(flatten)]
    pub(crate) neighbourhood: Neighbourhood,
    /// Sanitised HTML; may be empty.
    pub(crate) intro: String,
    /// At most three open places: those that best-of lists rank, the highest rank first, then the best rated.
    pub(crate) best: Vec<Listing>,
    /// At most five events that are on until 4 a.m. Empty while they are not available.
    pub(crate) events: Vec<Event>,
    /// The newest four articles that name a place of the neighbourhood. Empty while they are not available.
    pub(crate) articles: Vec<Article>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

impl From<proto::Neighbourhood> for Neighbourhood {
    fn from(area: proto::Neighbourhood) -> Self {
        Self {
            id: area.id,
            name: area.name,
            share_url: format!("/neighbourhoods/{}/", area.slug),
            slug: area.slug,
            count: area.count,
        }
    }
}

/// All neighbourhoods.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Neighbourhoods {
    pub(crate) results: Vec<Neighbourhood>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

/// The call for all neighbourhoods.
pub(crate) fn list_call() -> PublicCall<Neighbourhoods> {
    PublicCall::new(PATH, &[])
}

/// The call for a neighbourhood's portrait.
pub(crate) fn portrait_call(slug: &str) -> PublicCall<NeighbourhoodPortrait> {
    PublicCall::new(&format!("{PATH}{slug}/portrait/"), &[])
}

/// Neighbourhoods, ordered by name.
#[utoipa::path(get, path = "/api/v2/neighbourhoods/", operation_id = "list_neighbourhoods",
    tag = "catalogue",
    responses((status = 200, body = Neighbourhoods), (status = 304),
        (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let key = CacheKey::list(PATH, &Params::default(), &[Tag::Areas, Tag::Listings]);
    catalogue.serve(&request, key, Freshness::Usual, all).await
}

async fn all(catalogue: Arc<Catalogue>) -> Result<Content, ApiError> {
    let request = catalogue.request(ListNeighbourhoodsRequest {});
    let answer = catalogue
        .services
        .places()
        .list_neighbourhoods(request)
        .await?;
    let results = answer
        .into_inner()
        .neighbourhoods
        .into_iter()
        .map(Neighbourhood::from)
        .collect();
    Content::json(&Neighbourhoods {
        results,
        server_time: None,
    })
}

/// A neighbourhood with its boundary.
#[utoipa::path(get, path = "/api/v2/neighbourhoods/{slug}/", operation_id = "get_neighbourhood",
    tag = "catalogue", params(("slug" = String, Path)),
    responses((status = 200, body = NeighbourhoodDetail), (status = 304),
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
    let request = catalogue.request(GetNeighbourhoodRequest { slug });
    let found = catalogue
        .services
        .places()
        .get_neighbourhood(request)
        .await?;
    let found = found.into_inner();
    let boundary = serde_json::from_str(&found.boundary_geojson).map_err(|error| {
        let message = format!("a boundary cannot be read: {error}");
        Fault::new(Code::Internal, message)
    })?;
    Content::json(&NeighbourhoodDetail {
        neighbourhood: found.neighbourhood.unwrap_or_default().into(),
        boundary,
        server_time: None,
    })
}

/// A neighbourhood with its text, its best places, tonight's events and the articles that name its places.
#[utoipa::path(get, path = "/api/v2/neighbourhoods/{slug}/portrait/", operation_id = "get_neighbourhood_portrait",
    tag = "catalogue", params(("slug" = String, Path)),
    responses((status = 200, body = NeighbourhoodPortrait), (status = 304),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn portrait(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Slug(slug): Slug,
) -> Result<Response, ApiError> {
    let path = format!("{PATH}{slug}/");
    let tags = &[Tag::Areas, Tag::Listings, Tag::Items];
    let key = CacheKey::one(&path, "portrait", tags);
    catalogue
        .serve(&request, key, Freshness::Short, |catalogue| {
            drawn(catalogue, slug)
        })
        .await
}

/// Numbers of articles and events of a portrait.
const ARTICLES: u32 = 4;
const EVENTS: u32 = 5;

async fn drawn(catalogue: Arc<Catalogue>, slug: String) -> Result<Content, ApiError> {
    let now = catalogue.clock.now();
    let day = Day::at(now, catalogue.site.timezone);
    let places = async {
        let request = catalogue.request(GetNeighbourhoodRequest { slug: slug.clone() });
        catalogue.services.places().get_neighbourhood(request).await
    };
    let articles = rows::articles(&catalogue, ARTICLES, |request| {
        request.neighbourhood.clone_from(&slug);
    });
    let events = rows::events(&catalogue, EVENTS, |request| {
        request.neighbourhood.clone_from(&slug);
        request.to = Some(instant::to_proto(day.to));
    });
    let (found, articles, events) = tokio::join!(places, articles, events);
    let found = found?.into_inner();
    // A response without the editorial service's data expires soon.
    let is_whole = articles.is_ok() && events.is_ok();
    let until = if is_whole { day.to } else { now + INCOMPLETE };
    let best = found.best.into_iter();
    let portrait = NeighbourhoodPortrait {
        neighbourhood: found.neighbourhood.unwrap_or_default().into(),
        intro: found.intro_html,
        best: best
            .map(|place| Listing::new(&catalogue.site, place))
            .collect(),
        events: events.map(|row| row.items).unwrap_or_default(),
        articles: articles.map(|row| row.items).unwrap_or_default(),
        server_time: None,
    };
    Ok(Content::json(&portrait)?.until(Some(until)))
}
