//! GET `resolve/?path=`: the object at a page's path.

use std::sync::Arc;

use axum::extract::State;
use editorial_proto::v1 as editorial;
use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use places_proto::v1::{ResolveRequest, resolve_response::Kind};
use serde::{Deserialize, Serialize};
use tonic::{Code, Response, Status};
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

const PATH: &str = "/api/v2/resolve/";

/// Query parameters.
pub(super) const KNOWN: &[&str] = &["path"];

/// The kind of object at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ResolvedKind {
    Listing,
    ListingType,
    Neighbourhood,
    BestOfList,
    Article,
    Event,
    Contest,
    Video,
    Page,
}

impl ResolvedKind {
    /// Returns the kind's name in responses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Listing => "listing",
            Self::ListingType => "listing-type",
            Self::Neighbourhood => "neighbourhood",
            Self::BestOfList => "best-of-list",
            Self::Article => "article",
            Self::Event => "event",
            Self::Contest => "contest",
            Self::Video => "video",
            Self::Page => "page",
        }
    }
}

/// The object at a path.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Resolved {
    pub(crate) kind: ResolvedKind,
    pub(crate) id: i64,
    /// The canonical path.
    pub(crate) canonical: String,
    /// The canonical path if the requested path is outdated: pages redirect there permanently.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) moved_to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = true)]
    pub(crate) server_time: Option<String>,
}

/// The call that resolves a path.
pub(crate) fn call(path: &str) -> PublicCall<Resolved> {
    PublicCall::new(PATH, &[("path", path)])
}

/// Resolves a page's path to its object.
#[utoipa::path(get, path = "/api/v2/resolve/", tag = "catalogue",
    params(("path" = String, Query, pattern = "^/", description = "A page's path: /restaurants/pai-toronto/.")),
    responses((status = 200, body = Resolved), (status = 304), (status = 400, body = ErrorBody),
        (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn resolve(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<axum::response::Response, ApiError> {
    let params = request.params(KNOWN);
    let key = CacheKey::list(PATH, &params, &[Tag::Areas, Tag::Listings, Tag::Items]);
    catalogue
        .serve(&request, key, Freshness::Usual, |catalogue| {
            found(catalogue, params)
        })
        .await
}

async fn found(catalogue: Arc<Catalogue>, params: Params) -> Result<Content, ApiError> {
    let path = params
        .text("path")?
        .ok_or_else(|| ApiError::field("path", "This field is required."))?
        .to_owned();
    if !path.starts_with('/') {
        let message = "Enter a path: it begins with a slash.";
        return Err(ApiError::field("path", message));
    }
    let place = place_at(&catalogue, &path).boxed();
    let item = item_at(&catalogue, &path).boxed();
    Content::json(&first_found([place, item]).await?)
}

/// Returns the first owner's response that has found an object. A path belongs to a single owner, so an unavailable
/// owner does not affect the other owner's pages: its error is returned only if nothing was found. A redirect waits for
/// the other owner's response, because its former path may now belong to that owner.
async fn first_found(
    asked: [BoxFuture<'_, Result<Option<Resolved>, ApiError>>; 2],
) -> Result<Resolved, ApiError> {
    let mut asked = FuturesUnordered::from_iter(asked);
    let mut error = ApiError::not_found();
    let mut moved = None;
    while let Some(answer) = asked.next().await {
        match answer {
            Ok(Some(found)) if found.moved_to.is_some() => moved = Some(found),
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {}
            Err(failure) => error = failure,
        }
    }
    match moved {
        Some(moved) if !error.status().is_server_error() => Ok(moved),
        _ => Err(error),
    }
}

/// Finds the place, type, neighbourhood or best-of list at a path.
async fn place_at(catalogue: &Catalogue, path: &str) -> Result<Option<Resolved>, ApiError> {
    let path = catalogue.site.path_in_places(path);
    let request = catalogue.request(ResolveRequest { path });
    let Some(found) = optional(catalogue.services.places().resolve(request).await)? else {
        return Ok(None);
    };
    let kind = match found.kind() {
        Kind::Listing => ResolvedKind::Listing,
        Kind::ListingType => ResolvedKind::ListingType,
        Kind::Neighbourhood => ResolvedKind::Neighbourhood,
        Kind::BestOfList => ResolvedKind::BestOfList,
        Kind::Unspecified => return Ok(None),
    };
    let canonical = catalogue.site.path_from_places(&found.canonical);
    Ok(Some(Resolved {
        kind,
        id: found.id,
        moved_to: found.has_moved.then(|| canonical.clone()),
        canonical,
        server_time: None,
    }))
}

/// Finds the article, event, contest, video or page at a current or former path.
async fn item_at(catalogue: &Catalogue, path: &str) -> Result<Option<Resolved>, ApiError> {
    let request = catalogue.request(editorial::ResolveRequest {
        path: path.to_owned(),
    });
    let Some(found) = optional(catalogue.services.editorial().resolve(request).await)? else {
        return Ok(None);
    };
    let kind = match found.kind() {
        editorial::Kind::Article => ResolvedKind::Article,
        editorial::Kind::Event => ResolvedKind::Event,
        editorial::Kind::Contest => ResolvedKind::Contest,
        editorial::Kind::Video => ResolvedKind::Video,
        editorial::Kind::Page => ResolvedKind::Page,
        editorial::Kind::Unspecified => return Ok(None),
    };
    Ok(Some(Resolved {
        kind,
        id: found.id,
        moved_to: found.has_moved.then(|| found.canonical.clone()),
        canonical: found.canonical,
        server_time: None,
    }))
}

/// Converts a service's response; `None` if it is "not found".
fn optional<T>(answer: Result<Response<T>, Status>) -> Result<Option<T>, ApiError> {
    match answer {
        Ok(found) => Ok(Some(found.into_inner())),
        Err(status) if status.code() == Code::NotFound => Ok(None),
        Err(status) => Err(status.into()),
    }
}

#[cfg(test)]
mod tests {
    use chassis::error::{Code as FaultCode, Fault};
    use futures::future;

    use super::*;

    type Answer = Result<Option<Resolved>, ApiError>;

    fn found() -> Resolved {
        Resolved {
            kind: ResolvedKind::Article,
            id: 7,
            canonical: "/news/bridge/".to_owned(),
            moved_to: None,
            server_time: None,
        }
    }

    fn away() -> Answer {
        Err(Fault::new(FaultCode::Unavailable, "away").into())
    }

    async fn of(asked: [BoxFuture<'_, Answer>; 2]) -> Result<i64, u16> {
        let found = first_found(asked).await;
        found
            .map(|found| found.id)
            .map_err(|error| error.status().as_u16())
    }

    #[tokio::test]
    async fn a_path_that_one_owner_has_needs_no_answer_of_the_other() {
        let now = |answer| future::ready(answer).boxed();
        let never = || future::pending().boxed();
        assert_eq!(of([never(), now(Ok(Some(found())))]).await, Ok(7));
        assert_eq!(of([now(Ok(Some(found()))), never()]).await, Ok(7));
        assert_eq!(of([now(away()), now(Ok(Some(found())))]).await, Ok(7));
        assert_eq!(of([now(Ok(None)), now(Ok(Some(found())))]).await, Ok(7));
        assert_eq!(of([now(Ok(None)), now(Ok(None))]).await, Err(404));
        let moved = || {
            Ok(Some(Resolved {
                id: 8,
                moved_to: Some("/news/bridge/".to_owned()),
                ..found()
            }))
        };
        for place in [Ok(Some(found())), Ok(None), away()] {
            let expected = match &place {
                Ok(Some(_)) => Ok(7),
                Ok(None) => Ok(8),
                Err(_) => Err(503),
            };
            assert_eq!(of([now(moved()), now(place)]).await, expected);
        }
        for asked in [[away(), Ok(None)], [Ok(None), away()]] {
            assert_eq!(of(asked.map(now)).await, Err(503));
        }
    }
}
