//! POST `profiles/email-login/`: sign in.

use axum::{extract::State, response::Response};
use chassis::call::Caller;
use http::{HeaderMap, StatusCode};
use identity_proto::v1::SignInRequest;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{SignedIn, signed_in};
use crate::{
    edge::{
        body::Body,
        error::{ApiError, ErrorBody},
        limits::{Client, SIGN_IN, TooMany},
        session,
        sign_in::Attempt,
    },
    state::AppState,
    v2::intent::Intent,
};

/// A sign-in.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Login {
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
    #[serde(flatten)]
    intent: Intent,
}

/// Signs the reader in with a new session. The browser's previous session ends.
#[utoipa::path(post, path = "/api/v2/profiles/email-login/", tag = "profiles", request_body = Login,
    responses((status = 200, body = SignedIn), (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn email_login(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Body(body): Body<Login>,
) -> Result<Response, ApiError> {
    let Login {
        email,
        password,
        intent,
    } = body;
    client.pass(&state.limits, SIGN_IN).await?;
    let network = client.network().to_owned();
    let attempt = Attempt::begin(state.sign_in_guard.clone(), client, &headers, &email).await?;
    let device = session::device(&headers);
    let call = state.services.call(Caller::Guest);
    let request = call.request(SignInRequest {
        email,
        password,
        device,
    });
    let answer = state.services.identity().sign_in(request).await;
    let started = attempt.settle(answer).await?.into_inner();
    session::end_former(&state.services, &state.origin, &headers).await;
    let mut response = signed_in(&state, StatusCode::OK, &started, &intent, &network).await;
    attempt.remember(&mut response);
    Ok(response)
}
