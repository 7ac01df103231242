//! DELETE `profiles/me/`: a reader leaves.

use axum::{extract::State, response::Response};
use http::HeaderMap;
use identity_proto::v1::EraseAccountRequest;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::done,
        body::Body,
        browser,
        error::{ApiError, ErrorBody},
        limits::{Client, TooMany, Writer},
        session,
    },
    state::AppState,
    v2::profiles::passkeys::CeremonyAnswer,
};

/// The proof that it is the reader who leaves: the password, or a passkey; neither is needed for five minutes after a log-in
/// with Facebook.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Erasure {
    #[serde(default)]
    current_password: String,
    /// The answer in a ceremony for a sign-in; then the password is not looked at.
    #[serde(default)]
    passkey: Option<CeremonyAnswer>,
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
    headers: HeaderMap,
    Body(erasure): Body<Erasure>,
) -> Result<Response, ApiError> {
    let passkey = erasure.passkey.map(|answer| {
        let browser = browser::secret(&headers, &state.origin);
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
