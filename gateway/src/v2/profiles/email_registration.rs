//! POST `profiles/email-registration/`: creates an account.

use axum::{extract::State, response::Response};
use chassis::call::Caller;
use http::{HeaderMap, StatusCode};
use identity_proto::v1::RegisterRequest;
use newsletters_proto::v1::ChangeSettingsRequest;
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
    v2::{
        intent::Intent,
        newsletters::{NewsletterChanges, changes, origin, way},
    },
};

/// A sign-up.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Registration {
    #[serde(default)]
    full_name: String,
    #[serde(default)]
    email: String,
    /// 8 to 128 characters; must not be a common password or the email.
    #[serde(default)]
    password: String,
    #[serde(default)]
    password_repeat: String,
    /// Newsletters to subscribe to once the address is confirmed.
    #[serde(default, deserialize_with = "changes")]
    newsletter_settings: Option<NewsletterChanges>,
    #[serde(flatten)]
    intent: Intent,
}

/// Whether a rejected registration does not count against the limit. An error about the email counts, because it may
/// reveal that an account exists.
pub(super) fn reveals_no_account(refusal: &ApiError) -> bool {
    refusal.is_invalid() && !refusal.is_about("email")
}

/// Creates an account and signs the reader in.
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
        newsletter_settings,
        intent,
    } = body;
    let device = session::device(&headers);
    let request = RegisterRequest {
        full_name,
        email: email.clone(),
        password,
        password_repeat,
        device,
    };
    let request = state.services.call(Caller::Guest).request(request);
    let registering = async { Ok(state.services.identity().register(request).await?) };
    let started = client
        .count_unless(&state.limits, REGISTRATION, reveals_no_account, registering)
        .await?
        .into_inner();
    if let Some(changes) = newsletter_settings {
        let request = ChangeSettingsRequest {
            choices: changes.choices(&state.site.name),
            origin: Some(origin(&state.origin, &headers, way::REGISTRATION)),
            email: email.clone(),
            is_email_verified: false,
        };
        switch_on(&state, started.profile_id, request).await;
    }
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

/// Stores the newsletters that a new reader has chosen. The account is created even if this fails; its settings show
/// the actual subscriptions.
async fn switch_on(state: &AppState, profile_id: i64, request: ChangeSettingsRequest) {
    if request.choices.is_empty() {
        return;
    }
    let call = state.services.call(Caller::Reader(profile_id));
    let request = call.request(request);
    if let Err(status) = state.services.newsletters().change_settings(request).await {
        tracing::warn!(%status, "a new reader's newsletter choices could not be stored");
    }
}
