//! `…/{id}/gated/`: content of age-restricted items, for readers who have confirmed their age. Caches must not store
//! the responses.

use std::sync::Arc;

use axum::{extract::State, response::Response};

use super::{articles::Article, contests::Contest, events::Event, resource, videos::Video};
use crate::{
    catalogue::Catalogue,
    edge::{
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{CountedRead, TooMany},
        of_age::OfAge,
    },
};

/// An article with its text, even if it is age-restricted.
#[utoipa::path(get, path = "/api/v2/articles/{id}/gated/", operation_id = "get_gated_article",
    tag = "catalogue", params(("id" = i64, Path)),
    responses((status = 200, body = Article), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn article(
    State(catalogue): State<Arc<Catalogue>>,
    _of_age: OfAge,
    _counted: CountedRead,
    Id(id): Id,
) -> Result<Response, ApiError> {
    resource::gated::<Article>(&catalogue, id).await
}

/// An event with its text, even if it is age-restricted.
#[utoipa::path(get, path = "/api/v2/events/{id}/gated/", operation_id = "get_gated_event",
    tag = "catalogue", params(("id" = i64, Path)),
    responses((status = 200, body = Event), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn event(
    State(catalogue): State<Arc<Catalogue>>,
    _of_age: OfAge,
    _counted: CountedRead,
    Id(id): Id,
) -> Result<Response, ApiError> {
    resource::gated::<Event>(&catalogue, id).await
}

/// A contest with its text, question and rules, even if it is age-restricted.
#[utoipa::path(get, path = "/api/v2/contests/{id}/gated/", operation_id = "get_gated_contest",
    tag = "catalogue", params(("id" = i64, Path)),
    responses((status = 200, body = Contest), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn contest(
    State(catalogue): State<Arc<Catalogue>>,
    _of_age: OfAge,
    _counted: CountedRead,
    Id(id): Id,
) -> Result<Response, ApiError> {
    resource::gated::<Contest>(&catalogue, id).await
}

/// A video with its address, even if it is age-restricted.
#[utoipa::path(get, path = "/api/v2/videos/{id}/gated/", operation_id = "get_gated_video",
    tag = "catalogue", params(("id" = i64, Path)),
    responses((status = 200, body = Video), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn video(
    State(catalogue): State<Arc<Catalogue>>,
    _of_age: OfAge,
    _counted: CountedRead,
    Id(id): Id,
) -> Result<Response, ApiError> {
    resource::gated::<Video>(&catalogue, id).await
}
