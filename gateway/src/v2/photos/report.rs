//! POST `photos/{id}/report/`: reports a problem with a photo to the editors.

use axum::{extract::State, response::Response};
use photos_proto::v1::ReportPhotoRequest;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::done,
        body::Body,
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{TooMany, Writer},
    },
    services::Clients,
};

/// A problem with a photo.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct PhotoReport {
    /// `not-this-place`, `offensive`, `copyright`, `privacy` or `other`.
    #[schema(required = true)]
    reason: String,
    /// At most 1,000 characters.
    comment: String,
}

/// Reports a published photo to the editors, anonymously. A repeated report has no effect.
#[utoipa::path(post, path = "/api/v2/photos/{id}/report/", operation_id = "report_photo", tag = "photos",
    params(("id" = i64, Path)), request_body = PhotoReport,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn report(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
    Body(report): Body<PhotoReport>,
) -> Result<Response, ApiError> {
    let request = reader.call.request(ReportPhotoRequest {
        id,
        reason: report.reason,
        comment: report.comment,
    });
    clients.photos().report_photo(request).await?;
    Ok(done())
}
