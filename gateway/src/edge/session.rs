//! Reader sessions. The secret is in a cookie; a second cookie, readable by scripts, lets the page know whether to
//! request the profile.

use axum::response::Response;
use chassis::{
    call::{Call, Caller},
    origin::Origin,
};
use cookie::{Cookie, SameSite, time::Duration};
use http::{
    HeaderMap, HeaderValue,
    header::{COOKIE, SET_COOKIE, USER_AGENT},
};
use identity_proto::v1::{
    AuthenticateRequest, AuthenticateResponse, GetProfileRequest, Profile, RequireProofRequest,
    SignOutRequest,
};
use prost_types::Timestamp;
use tonic::Code;

use super::error::ApiError;
use crate::services::Clients;

/// Lifetime of a session and its cookies after the last visit.
const LIFETIME: Duration = Duration::days(5);
const HINT: &str = "signed_in";

fn cookie_name(site: &Origin) -> &'static str {
    if site.is_https() {
        "__Host-session"
    } else {
        "session"
    }
}

/// Returns the session's secret from its cookie.
pub(crate) fn secret(headers: &HeaderMap, site: &Origin) -> Option<String> {
    let name = cookie_name(site);
    cookies(headers)
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
        .filter(|secret| !secret.is_empty() && secret.len() <= 128)
}

/// Whether the browser has the cookie that hints at a session.
pub(crate) fn has_hint(headers: &HeaderMap) -> bool {
    cookies(headers).any(|cookie| cookie.name() == HINT)
}

pub(crate) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = Cookie<'_>> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
}

/// Sets or renews the session's cookies.
pub(crate) fn set(response: &mut Response, site: &Origin, secret: &str) {
    put(response, session_cookie(site, secret).max_age(LIFETIME));
    put(response, hint_cookie(site, "1").max_age(LIFETIME));
}

/// Removes the session's cookies.
pub(crate) fn clear(response: &mut Response, site: &Origin) {
    put(response, session_cookie(site, "").max_age(Duration::ZERO));
    put(response, hint_cookie(site, "").max_age(Duration::ZERO));
}

fn session_cookie(site: &Origin, value: &str) -> cookie::CookieBuilder<'static> {
    base_cookie(site, cookie_name(site), value).http_only(true)
}

fn hint_cookie(site: &Origin, value: &str) -> cookie::CookieBuilder<'static> {
    base_cookie(site, HINT, value)
}

/// A cookie for the whole site and no other site.
pub(super) fn base_cookie(
    site: &Origin,
    name: &'static str,
    value: &str,
) -> cookie::CookieBuilder<'static> {
    Cookie::build((name, value.to_owned()))
        .path("/")
        .same_site(SameSite::Lax)
        .secure(site.is_https())
}

pub(super) fn put(response: &mut Response, cookie: cookie::CookieBuilder<'static>) {
    if let Ok(value) = HeaderValue::from_str(&cookie.build().to_string()) {
        response.headers_mut().append(SET_COOKIE, value);
    }
}

/// Returns the device's name for the list of sessions.
pub(crate) fn device(headers: &HeaderMap) -> String {
    headers
        .get(USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned()
}

/// The sender of a request, signed in or not.
#[derive(Debug, Clone)]
pub(crate) enum Visitor {
    Guest,
    Reader(Reader),
}

/// A signed-in reader.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pub(crate) profile_id: i64,
    /// When the account was created.
    pub(crate) account_created: Option<Timestamp>,
    pub(crate) secret: String,
    /// The context of service calls on the reader's behalf, with this request's deadline.
    pub(crate) call: Call,
}

impl Visitor {
    /// Returns the sender of a request with these headers.
    pub(super) async fn of(
        services: &Clients,
        headers: &HeaderMap,
        site: &Origin,
    ) -> Result<Self, ApiError> {
        let Some(secret) = secret(headers, site) else {
            return Ok(Self::Guest);
        };
        let reader = Reader::of(services, secret).await?;
        Ok(reader.map_or(Self::Guest, Self::Reader))
    }

    /// Returns the session's secret; empty for a guest.
    pub(crate) fn secret(&self) -> String {
        match self {
            Self::Guest => String::new(),
            Self::Reader(reader) => reader.secret.clone(),
        }
    }

    /// Returns the context for service calls on the visitor's behalf, within this request's deadline.
    pub(crate) fn call(&self, services: &Clients) -> Call {
        match self {
            Self::Guest => services.call(Caller::Guest),
            Self::Reader(reader) => reader.call,
        }
    }
}

impl Reader {
    /// Returns the reader of a session; `None` if there is no session with this secret.
    async fn of(services: &Clients, secret: String) -> Result<Option<Self>, ApiError> {
        let account = authenticate(services, &secret).await?;
        Ok(account.map(|account| Self {
            profile_id: account.profile_id,
            account_created: account.account_created,
            secret,
            call: services.call(Caller::Reader(account.profile_id)),
        }))
    }

    /// Authenticates again, after an upload that may have taken minutes: 401 if the session has ended in the meantime.
    pub(crate) async fn still_signed_in(self, services: &Clients) -> Result<Self, ApiError> {
        let reader = Self::of(services, self.secret).await?;
        reader.ok_or_else(ApiError::not_authenticated)
    }

    /// Returns the reader's profile.
    pub(crate) async fn profile(&self, services: &Clients) -> Result<Profile, ApiError> {
        let request = self.call.request(GetProfileRequest {});
        let profile = services.identity().get_profile(request).await?;
        Ok(profile.into_inner())
    }

    /// 403 with the code `fresh_proof_required` unless the reader has signed in within the last five minutes.
    pub(crate) async fn require_proof(&self, services: &Clients) -> Result<(), ApiError> {
        let session_token = self.secret.clone();
        let request = self.call.request(RequireProofRequest { session_token });
        services.identity().require_proof(request).await?;
        Ok(())
    }
}

/// Ends the browser's previous session after a new one has begun. A failure is only logged, as the session expires five
/// days after its last use.
pub(crate) async fn end_former(services: &Clients, site: &Origin, headers: &HeaderMap) {
    let Some(session_token) = secret(headers, site) else {
        return;
    };
    let call = services.call(Caller::Guest);
    let request = call.request(SignOutRequest { session_token });
    if let Err(status) = services.identity().sign_out(request).await {
        tracing::warn!(%status, "the browser's previous session could not be ended");
    }
}

/// Returns the account of a session; `None` if there is no session with this secret.
pub(crate) async fn authenticate(
    services: &Clients,
    secret: &str,
) -> Result<Option<AuthenticateResponse>, ApiError> {
    let request = AuthenticateRequest {
        session_token: secret.to_owned(),
    };
    let request = services.call(Caller::Guest).request(request);
    match services.identity().authenticate(request).await {
        Ok(answer) => Ok(Some(answer.into_inner())),
        Err(status) if status.code() == Code::Unauthenticated => Ok(None),
        Err(status) => Err(status.into()),
    }
}
