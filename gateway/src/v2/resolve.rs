//! GET `resolve/?path=`: what stands at a page's path.

use axum::{extract::State, response::Response};
use chassis::call::Caller;
use cityguide_proto::places::v1::{ResolveRequest, resolve_response::Kind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        error::{ApiError, ErrorBody},
        params::Params,
        public::Asked,
    },
    state::Edge,
};

/// What a path names.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ResolvedKind {
    Listing,
    ListingType,
    Neighbourhood,
}

/// What stands there.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Resolved {
    kind: ResolvedKind,
    id: i64,
    /// The path as pages link to it.
    canonical: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    server_time: Option<String>,
}

/// Resolves a page's path to its object.
#[utoipa::path(get, path = "/api/v2/resolve/", tag = "catalogue",
    params(("path" = String, Query, description = "A page's path: /restaurants/pai-toronto/.")),
    responses((status = 200, body = Resolved), (status = 304), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn resolve(
    State(edge): State<Edge>,
    asked: Asked,
    params: Params,
) -> Result<Response, ApiError> {
    let path = params
        .text("path")?
        .ok_or_else(|| ApiError::field("path", "This field is required."))?
        .to_owned();
    let call = edge.call(Caller::Guest);
    let request = call.request(ResolveRequest { path });
    let found = edge.services.places().resolve(request).await?.into_inner();
    let kind = match found.kind() {
        Kind::Listing => ResolvedKind::Listing,
        Kind::ListingType => ResolvedKind::ListingType,
        Kind::Neighbourhood => ResolvedKind::Neighbourhood,
        Kind::Unspecified => return Err(ApiError::not_found()),
    };
    let (id, canonical) = (found.id, found.canonical);
    edge.public
        .answer(
            &asked,
            &Resolved {
                kind,
                id,
                canonical,
                server_time: None,
            },
        )
        .await
}
