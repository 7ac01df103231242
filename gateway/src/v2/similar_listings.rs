//! `listings/{id}/similar/`: similar places.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use places_proto::v1::ListSimilarRequest;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    listing::Listing,
    listings::{PATH, listings},
};
use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        id::Id,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

/// Similar places, most similar first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SimilarListings {
    results: Vec<Listing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// At most 12 similar open places of the same type.
#[utoipa::path(get, path = "/api/v2/listings/{id}/similar/", operation_id = "list_similar_listings",
    tag = "catalogue", params(("id" = i64, Path)),
    responses((status = 200, body = SimilarListings), (status = 304),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn similar(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let path = format!("{PATH}{id}/");
    let key = CacheKey::one(&path, "similar", &[Tag::Areas, Tag::Listings]);
    catalogue
        .serve(&request, key, Freshness::Usual, move |catalogue| {
            find_similar(catalogue, id)
        })
        .await
}

async fn find_similar(catalogue: Arc<Catalogue>, id: i64) -> Result<Content, ApiError> {
    let request = catalogue.request(ListSimilarRequest { id });
    let found = catalogue.services.places().list_similar(request).await?;
    Content::json(&SimilarListings {
        results: listings(&catalogue.site, found.into_inner().listings),
        server_time: None,
    })
}
