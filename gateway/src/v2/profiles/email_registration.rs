//! POST `profiles/email-registration/`: make an account.

use axum::{extract::State, response::Response};
use chassis::call::Caller;
use cityguide_proto::identity::v1::RegisterRequest;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{SignedIn, signed_in};
use crate::{
    edge::{
        body::Body,
        error::{ApiError, ErrorBody},
        limits::{Client, REGISTRATION, TooMany},
        session,
    },
    state::AppState,
    v2::intent::Intent,
};

/// A sign-up.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Registration {
    #[serde(default)]
    full_name: String,
    #[serde(default)]
    email: String,
    /// 8 to 128 characters, not among the most common, nor the email.
    #[serde(default)]
    password: String,
    #[serde(default)]
    password_repeat: String,
    #[serde(flatten)]
    intent: Intent,
}

/// Makes an account and signs the reader in.
#[utoipa::path(post, path = "/api/v2/profiles/email-registration/", tag = "profiles",
    request_body = Registration,
    responses((status = 201, body = SignedIn), (status = 400, body = ErrorBody),
        (status = 403, body = ErrorBody), (status = 413, body = ErrorBody),
        (status = 415, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn email_registration(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Body(body): Body<Registration>,
) -> Result<Response, ApiError> {
    let Registration {
        full_name,
        email,
        password,
        password_repeat,
        intent,
    } = body;
    client.pass(&state.limits, REGISTRATION).await?;
    let device = session::device(&headers);
    let request = RegisterRequest {
        full_name,
        email: email.clone(),
        password,
        password_repeat,
        device,
    };
    let call = state.services.call(Caller::Guest);
    let started = state
        .services
        .identity()
        .register(call.request(request))
        .await?
        .into_inner();
    session::end_former(&state.services, &state.origin, &headers).await;
    let mut response = signed_in(
        &state,
        StatusCode::CREATED,
        &started,
        &intent,
        client.network(),
    )
    .await;
    let guard = &state.sign_in_guard;
    guard.remember(&mut response, &headers, &email);
    Ok(response)
}
