//! POST `photos/`: uploads a photo of a place.

use axum::{extract::State, response::Response};
use http::StatusCode;
use photos_proto::v1::CreatePhotoRequest;
use utoipa::ToSchema;

use super::{own::OwnPhoto, photo::Listings};
use crate::{
    edge::{
        answer::personal,
        error::{ApiError, ErrorBody},
        id,
        idempotency::IdempotencyKey,
        limits::{Client, TooMany, UPLOADS, Writer},
        session::Visitor,
        upload::{Form, Upload, Uploads},
    },
    state::AppState,
};

/// Form field of the file.
const IMAGE: &str = "image";

/// Upload form, for the OpenAPI document.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct NewPhoto {
    /// A JPEG, PNG or WebP of at most 25 MiB and 50 megapixels.
    #[schema(format = Binary)]
    image: String,
    /// The listing's id.
    listing: i64,
    /// At most 1,000 characters.
    description: Option<String>,
    /// The photographer; at most 100 characters.
    credit: Option<String>,
    /// `all-rights-reserved` (default), `CC-BY-4.0`, `CC-BY-SA-4.0` or `CC0-1.0`.
    licence: Option<String>,
}

/// Uploads a photo of an open place: 201 for a new photo, 200 if the reader has uploaded the same file for the place
/// before. The file is checked before the response; its sizes may be created afterwards (`processing`).
#[utoipa::path(post, path = "/api/v2/photos/", operation_id = "create_photo", tag = "photos",
    request_body(content = NewPhoto, content_type = "multipart/form-data"),
    params(("Idempotency-Key" = Option<String>, Header, description =
        "A repeat with this key, file and texts has no further effect, for 24 hours.")),
    responses((status = 201, body = OwnPhoto),
        (status = 200, body = OwnPhoto, description = "The same file was uploaded for the place before."),
        (status = 400, body = ErrorBody, description = "By field; under `image` why the picture is refused."),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 409, body = ErrorBody, description =
            "The Idempotency-Key was already used with another file or other texts."),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn create(
    State(state): State<AppState>,
    Writer(reader): Writer,
    client: Client,
    key: IdempotencyKey,
    form: Form,
) -> Result<Response, ApiError> {
    client.pass_as(&reader, &state.limits, UPLOADS).await?;
    let received = state.uploads.receive(reader, &state.services, form, IMAGE);
    let Upload {
        reader,
        full_name,
        form: mut uploaded,
    } = received.await?;
    let listing_id = id::parse(&uploaded.text("listing"));
    let Some(listing_id) = listing_id else {
        state.uploads.discard(uploaded).await;
        return Err(ApiError::field("listing", "A valid integer is required."));
    };
    let call = Uploads::call(reader.profile_id);
    let visitor = Visitor::Reader(reader);
    let request = call.request(CreatePhotoRequest {
        blob: uploaded.blob.to_string(),
        listing_id,
        description: uploaded.text("description"),
        credit: uploaded.text("credit"),
        licence: uploaded.text("licence"),
        full_name,
        attempt: key.attempt("photos", &visitor, &client),
    });
    let created = state.services.photos().create_photo(request).await?;
    let created = created.into_inner();
    let photos = [created.photo.unwrap_or_default()];
    let listings = Listings::of(&state.services, |ids| call.request(ids), &photos).await?;
    let [photo] = photos;
    let photo = OwnPhoto::new(&state.catalogue.pictures, &listings, photo);
    let status = if created.is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Ok(personal(status, &photo))
}
