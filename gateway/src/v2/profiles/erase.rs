//! DELETE `profiles/me/`: erases the reader's account.

use axum::{extract::State, response::Response};
use http::HeaderMap;
use identity_proto::v1::EraseAccountRequest;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::done,
        body::Body,
        browser::{self, Flow},
        error::{ApiError, ErrorBody},
        limits::{Client, TooMany, Writer},
        session,
    },
    state::AppState,
    v2::profiles::passkeys::CeremonyAnswer,
};

/// Proof of the reader's identity: the password or a passkey. Neither is needed within five minutes of a Facebook
/// log-in.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Erasure {
    #[serde(default)]
    current_password: String,
    /// Response of a sign-in ceremony. If present, the password is ignored.
    #[serde(default)]
    passkey: Option<CeremonyAnswer>,
}

/// Erases the reader's account immediately and its data within a minute, and ends all its sessions. A signed receipt is
/// then emailed.
#[utoipa::path(delete, path = "/api/v2/profiles/me/", operation_id = "erase_me", tag = "profiles",
    request_body = Erasure,
    responses((status = 204), (status = 400, body = ErrorBody), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn erase(
    State(state): State<AppState>,
    Writer(reader): Writer,
    client: Client,
    headers: HeaderMap,
    Body(erasure): Body<Erasure>,
) -> Result<Response, ApiError> {
    let passkey = erasure.passkey.map(|answer| {
        let browser = browser::secret(Flow::Passkey, &headers, &state.origin);
        answer.message(browser)
    });
    let request = reader.call.request(EraseAccountRequest {
        current_password: erasure.current_password,
        passkey,
        session_token: reader.secret.clone(),
    });
    let mut departures = state.services.departures();
    let answer = departures.erase_account(request);
    let guard = &state.sign_in_guard;
    guard.try_own_password(&client, &reader, answer).await?;
    let mut response = done();
    session::clear(&mut response, &state.origin);
    Ok(response)
}
