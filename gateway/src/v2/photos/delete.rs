//! DELETE `photos/{id}/`: deletes a reader's own photo.

use axum::{extract::State, response::Response};
use photos_proto::v1::DeletePhotoRequest;

use crate::{
    edge::{
        answer::done,
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{TooMany, Writer},
    },
    services::Clients,
};

/// Deletes one of the reader's own photos and its files.
#[utoipa::path(delete, path = "/api/v2/photos/{id}/", operation_id = "delete_photo", tag = "photos",
    params(("id" = i64, Path)),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let request = reader.call.request(DeletePhotoRequest { id });
    clients.photos().delete_photo(request).await?;
    Ok(done())
}
