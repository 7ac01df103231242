//! POST `profiles/me/password/`: changes the reader's password.

use axum::{extract::State, response::Response};
use identity_proto::v1::ChangePasswordRequest;
use serde::Deserialize;
use utoipa::ToSchema;

use super::me::{self, Profile};
use crate::{
    edge::{
        body::Body,
        error::{ApiError, ErrorBody},
        limits::{Client, TooMany, Writer},
    },
    state::AppState,
};

/// A password change.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct PasswordChange {
    current_password: String,
    /// 8 to 128 characters; must not be a common or easily guessed password, or the email.
    new_password: String,
}

/// Changes the reader's password and ends all other sessions.
#[utoipa::path(post, path = "/api/v2/profiles/me/password/", operation_id = "change_password",
    tag = "profiles", request_body = PasswordChange,
    responses((status = 200, body = Profile), (status = 400, body = ErrorBody),
        (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 413, body = ErrorBody), (status = 415, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn change_password(
    State(state): State<AppState>,
    Writer(reader): Writer,
    client: Client,
    Body(change): Body<PasswordChange>,
) -> Result<Response, ApiError> {
    let request = reader.call.request(ChangePasswordRequest {
        current_password: change.current_password,
        new_password: change.new_password,
        session_token: reader.secret.clone(),
    });
    let mut identity = state.services.identity();
    let answer = identity.change_password(request);
    let guard = &state.sign_in_guard;
    let profile = guard.try_own_password(&client, &reader, answer).await?;
    Ok(me::answer(&state, &reader, profile.into_inner()).await)
}
