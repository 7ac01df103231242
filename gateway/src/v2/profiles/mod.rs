//! `profiles/`: accounts and sessions, with a file for each call.

mod access;
mod archive;
pub(super) mod avatar;
pub(super) mod calendar;
pub(super) mod calendar_feed;
pub(super) mod confirm_email;
pub(super) mod consent;
pub(super) mod dashboard;
pub(super) mod email_login;
pub(super) mod email_registration;
pub(super) mod erase;
pub(super) mod export;
pub(super) mod facebook;
pub(super) mod facebook_deletion;
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
pub(super) mod takeout;

use axum::response::{IntoResponse, Redirect, Response};
use http::{
    HeaderMap, StatusCode,
    header::{CACHE_CONTROL, SET_COOKIE},
};
use identity_proto::v1::SessionStarted;
use serde::Serialize;
use utoipa::ToSchema;

use super::intent::Intent;
use crate::{
    edge::{answer::personal, limits::Client, session},
    state::AppState,
};

/// A new session.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SignedIn {
    /// The profile's id.
    id: i64,
    /// Path of the page to open.
    redirect_url: String,
}

/// A sign-in without a password.
pub(crate) struct PasswordlessSignIn<'a> {
    pub(crate) state: &'a AppState,
    pub(crate) client: &'a Client,
    pub(crate) headers: &'a HeaderMap,
}

impl PasswordlessSignIn<'_> {
    /// Responds with the new session, as after a password sign-in. The device becomes known to the account with this
    /// email.
    pub(crate) async fn answer(
        &self,
        status: StatusCode,
        started: &SessionStarted,
        email: &str,
        intent: &Intent,
    ) -> Response {
        let Self { state, headers, .. } = self;
        session::end_former(&state.services, &state.origin, headers).await;
        let network = self.client.network();
        let mut response = signed_in(state, status, started, intent, network).await;
        state.sign_in_guard.remember(&mut response, headers, email);
        response
    }

    /// Redirects a browser that comes from another site to the intent's page, with the new session.
    pub(crate) async fn redirect(
        &self,
        started: &SessionStarted,
        email: &str,
        intent: &Intent,
    ) -> Response {
        let answer = self.answer(StatusCode::OK, started, email, intent).await;
        let mut response = Redirect::to(&intent.redirect_url()).into_response();
        let (answer, _) = answer.into_parts();
        for name in [SET_COOKIE, CACHE_CONTROL] {
            for value in answer.headers.get_all(&name) {
                response.headers_mut().append(&name, value.clone());
            }
        }
        response
    }
}

/// Executes the log-in's intent and responds with the session's cookies.
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
