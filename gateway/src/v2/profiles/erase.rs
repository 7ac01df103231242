//! DELETE `profiles/me/`: a reader leaves.

use axum::{extract::State, response::Response};
use cityguide_proto::identity::v1::EraseAccountRequest;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::done,
        body::Body,
        error::{ApiError, ErrorBody},
        limits::{Client, TooMany, Writer},
        session,
    },
    state::AppState,
};

/// The proof that it is the reader who leaves.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct Erasure {
    current_password: String,
}

/// Erases the reader's account at once, and what it owns within a minute; ends all its sessions. A signed receipt is
/// mailed then.
#[utoipa::path(delete, path = "/api/v2/profiles/me/", operation_id = "erase_me", tag = "profiles",
    request_body = Erasure,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn erase(
    State(state): State<AppState>,
    Writer(reader): Writer,
    client: Client,
    Body(erasure): Body<Erasure>,
) -> Result<Response, ApiError> {
    let request = reader.call.request(EraseAccountRequest {
        current_password: erasure.current_password,
    });
    let mut departures = state.services.departures();
    let answer = departures.erase_account(request);
    let guard = &state.sign_in_guard;
    guard.try_own_password(&client, &reader, answer).await?;
    let mut response = done();
    session::clear(&mut response, &state.origin);
    Ok(response)
}
