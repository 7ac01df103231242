//! POST and DELETE `profiles/me/avatar/`: the reader's profile picture.

use axum::{extract::State, response::Response};
use chassis::call::Call;
use http::StatusCode;
use photos_proto::v1::{self as proto, GetAvatarRequest, RemoveAvatarRequest, SetAvatarRequest};
use pictures::AVATAR;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::{done, personal},
        error::{ApiError, ErrorBody},
        limits::{Client, TooMany, UPLOADS, Writer},
        upload::{Form, Upload, Uploads},
    },
    services::Clients,
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
pub(crate) struct NewAvatar {
    /// A JPEG, PNG or WebP of at most 25 MiB and 50 megapixels.
    #[schema(format = Binary)]
    image: String,
}

/// The reader's profile picture.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Avatar {
    /// 80x80, cropped. The address is signed. Null if the reader has no picture.
    #[schema(required = true)]
    avatar_url: Option<String>,
    /// Whether the uploaded picture is still being processed. Until then, `avatar_url` is the previous picture.
    is_processing: bool,
}

/// Sets or replaces the reader's profile picture.
#[utoipa::path(post, path = "/api/v2/profiles/me/avatar/", operation_id = "set_avatar", tag = "profiles",
    request_body(content = NewAvatar, content_type = "multipart/form-data"),
    responses((status = 200, body = Avatar),
        (status = 400, body = ErrorBody, description = "Under `image` why the picture is refused."),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn set(
    State(state): State<AppState>,
    Writer(reader): Writer,
    client: Client,
    form: Form,
) -> Result<Response, ApiError> {
    client.pass_as(&reader, &state.limits, UPLOADS).await?;
    let received = state.uploads.receive(reader, &state.services, form, IMAGE);
    let Upload {
        reader,
        full_name,
        form,
    } = received.await?;
    let call = Uploads::call(reader.profile_id);
    let request = call.request(SetAvatarRequest {
        blob: form.blob.to_string(),
        full_name,
    });
    let avatar = state.services.avatars().set_avatar(request).await?;
    let avatar = avatar.into_inner();
    let answer = Avatar {
        is_processing: avatar.is_processing,
        avatar_url: address(&state, avatar),
    };
    Ok(personal(StatusCode::OK, &answer))
}

/// Deletes the reader's profile picture and its files.
#[utoipa::path(delete, path = "/api/v2/profiles/me/avatar/", operation_id = "remove_avatar", tag = "profiles",
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn remove(
    State(services): State<Clients>,
    Writer(reader): Writer,
) -> Result<Response, ApiError> {
    let request = reader.call.request(RemoveAvatarRequest {});
    services.avatars().remove_avatar(request).await?;
    Ok(done())
}

/// Returns the address of a reader's profile picture; `None` if there is none or the photos service is unavailable.
pub(super) async fn address_of(state: &AppState, call: &Call) -> Option<String> {
    let request = call.request(GetAvatarRequest {});
    match state.services.avatars().get_avatar(request).await {
        Ok(avatar) => address(state, avatar.into_inner()),
        Err(status) => {
            tracing::warn!(%status, "a profile was returned without its picture");
            None
        }
    }
}

fn address(state: &AppState, avatar: proto::Avatar) -> Option<String> {
    let name = avatar.name?;
    Some(state.catalogue.pictures.of(&name, &AVATAR))
}
