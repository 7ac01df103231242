//! GET `ads/creatives/{id}/`: the document of a creative, for a sandboxed frame.

use axum::{extract::State, response::Response};
use chassis::origin::Origin;

use crate::{
    ads::{AdServer, frame},
    edge::{
        error::{ApiError, ErrorBody},
        id::Id,
    },
};

/// The document of an image or HTML creative. Its policy sandboxes it: it has an opaque origin and can neither read or
/// navigate the surrounding page nor store data.
#[utoipa::path(get, path = "/api/v2/ads/creatives/{id}/", operation_id = "adCreative", tag = "ads",
    params(("id" = i64, Path, description = "From `frame_url`.")),
    responses((status = 200, content_type = "text/html", body = String), (status = 404, body = ErrorBody)))]
pub(crate) async fn creative(
    State(server): State<AdServer>,
    State(origin): State<Origin>,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let creative = server.creative(id);
    creative
        .and_then(|creative| frame::document(&creative, &origin))
        .ok_or_else(ApiError::not_found)
}
