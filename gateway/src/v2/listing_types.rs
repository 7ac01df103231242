//! GET `listing-types/`: types of places.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use places_proto::v1::ListTypesRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::call::PublicCall;
use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        params::Params,
        public::{CacheKey, Content, Freshness, PublicRequest, Tag},
    },
};

const PATH: &str = "/api/v2/listing-types/";

/// A type of places.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ListingType {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Name of a single place of this type: "Restaurant".
    pub(crate) name_singular: String,
    pub(crate) slug: String,
    pub(crate) share_url: String,
    /// Number of places of this type.
    pub(crate) count: i64,
    /// Whether places of this type are only shown to readers of legal age.
    pub(crate) is_age_restricted: bool,
}

/// All types.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ListingTypes {
    pub(crate) results: Vec<ListingType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

/// The call for all types.
pub(crate) fn list_call() -> PublicCall<ListingTypes> {
    PublicCall::new(PATH, &[])
}

/// Types of places, ordered by name.
#[utoipa::path(get, path = "/api/v2/listing-types/", operation_id = "list_listing_types",
    tag = "catalogue",
    responses((status = 200, body = ListingTypes), (status = 304), (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    let key = CacheKey::list(PATH, &Params::default(), &[Tag::Areas, Tag::Listings]);
    catalogue.serve(&request, key, Freshness::Usual, all).await
}

async fn all(catalogue: Arc<Catalogue>) -> Result<Content, ApiError> {
    let answer = catalogue
        .services
        .places()
        .list_types(catalogue.request(ListTypesRequest {}))
        .await?;
    let results = answer
        .into_inner()
        .types
        .into_iter()
        .map(|kind| ListingType {
            id: kind.id,
            name: kind.name,
            name_singular: kind.name_singular,
            share_url: format!("/{}/", kind.slug),
            slug: kind.slug,
            count: kind.count,
            is_age_restricted: kind.is_age_restricted,
        })
        .collect();
    Content::json(&ListingTypes {
        results,
        server_time: None,
    })
}
