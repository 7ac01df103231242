//! `profiles/`: accounts and sessions, one file per call.

mod archive;
pub(super) mod calendar;
pub(super) mod calendar_feed;
pub(super) mod confirm_email;
pub(super) mod dashboard;
pub(super) mod email_login;
pub(super) mod email_registration;
pub(super) mod erase;
pub(super) mod export;
pub(super) mod hi;
pub(super) mod hi_stream;
pub(super) mod logout;
pub(super) mod me;
pub(super) mod oauth_authorization;
pub(super) mod passkeys;
pub(super) mod password;
pub(super) mod reset_password;
pub(super) mod sessions;
pub(super) mod status;

use axum::response::Response;
use cityguide_proto::identity::v1::SessionStarted;
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::intent::Intent;
use crate::{
    edge::{answer::personal, session},
    state::AppState,
};

/// A session that has begun.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SignedIn {
    /// The profile's id.
    id: i64,
    /// The path that the browser goes to.
    redirect_url: String,
}

/// Carries out the login's intent, and answers with the session's cookies.
async fn signed_in(
    state: &AppState,
    status: StatusCode,
    started: &SessionStarted,
    intent: &Intent,
    network: &str,
) -> Response {
    intent.carry_out(state, started, network).await;
    let answer = SignedIn {
        id: started.profile_id,
        redirect_url: intent.redirect_url(),
    };
    let mut response = personal(status, &answer);
    session::set(&mut response, &state.origin, &started.session_token);
    response
}
