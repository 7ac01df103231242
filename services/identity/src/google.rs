//! Google: tokens by OAuth 2.0, and the events in a reader's calendar.

use std::time::Duration;

use chassis::{
    error::Fault,
    origin::Origin,
    third_party::{Answer, ThirdParty},
};
use chrono::{DateTime, TimeDelta, Utc};
use http::{Method, StatusCode};
use serde_json::Value;

use crate::{
    domain::{ConsentPage, Tokens},
    settings::GoogleSettings,
};

/// The requested permission: writing events, and nothing else in the calendars.
const SCOPE: &str = "https://www.googleapis.com/auth/calendar.events";
/// The callback page, which the gateway serves; it must be registered in Google's console.
const CALLBACK: &str = "/profiles/oauth-callback";
/// The timeout of a request to Google in a call that a reader waits for.
const IN_A_CALL: Duration = Duration::from_secs(3);
/// The lifetime of an access token without a stated lifetime, in seconds.
const USUAL_LIFETIME: i64 = 3600;
/// The maximum lifetime of an access token, in seconds.
const MAX_LIFETIME: i64 = 24 * 3600;

/// The reason that Google did not carry out a request.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GoogleError {
    /// The grant, code or token is invalid or no longer valid.
    #[error("the calendar is not authorised")]
    Refused,
    /// There is no response.
    #[error("{0}")]
    NoAnswer(String),
    /// A retry may succeed.
    #[error("{0}")]
    Later(String),
    /// A retry cannot succeed.
    #[error("{0}")]
    Never(String),
}

impl From<Fault> for GoogleError {
    fn from(fault: Fault) -> Self {
        Self::NoAnswer(fault.message)
    }
}

/// A client for Google, if calendars are configured.
#[derive(Debug, Clone)]
pub(crate) struct Google {
    settings: GoogleSettings,
    client: ThirdParty,
    redirect_uri: String,
}

impl Google {
    /// `None` if no client is configured.
    pub(crate) fn new(settings: &GoogleSettings, site: &Origin) -> Result<Option<Self>, Fault> {
        if settings.client_id.is_empty() {
            return Ok(None);
        }
        settings.require_secret()?;
        Ok(Some(Self {
            settings: settings.clone(),
            client: ThirdParty::new()?,
            redirect_uri: format!("{}{CALLBACK}", site.as_str()),
        }))
    }

    /// Returns a client with a shorter timeout, for calls that a reader waits for.
    pub(crate) fn in_a_call(&self) -> Self {
        Self {
            client: self.client.within(IN_A_CALL),
            ..self.clone()
        }
    }

    /// The address of the consent page. It requests access while the reader is away (`offline`), and always asks for
    /// consent, because Google issues a refresh token only with a new consent.
    pub(crate) fn consent_page(&self, state: &str, verifier: &str) -> String {
        let page = ConsentPage {
            url: &self.settings.authorization_url,
            client_id: &self.settings.client_id,
            redirect_uri: &self.redirect_uri,
            scope: SCOPE,
            further: &[("access_type", "offline"), ("prompt", "consent")],
        };
        page.address(state, verifier)
    }

    /// Exchanges a code for tokens. Also refused if the reader unticked the calendar on Google's page.
    pub(crate) async fn exchange(
        &self,
        code: &str,
        verifier: &str,
        now: DateTime<Utc>,
    ) -> Result<Tokens, GoogleError> {
        let body = self
            .tokens(&[
                ("grant_type", "authorization_code"),
                ("code", code),
                ("code_verifier", verifier),
                ("redirect_uri", &self.redirect_uri),
            ])
            .await?;
        let scope = body["scope"].as_str().unwrap_or(SCOPE);
        if !scope.split(' ').any(|one| one == SCOPE) {
            return Err(GoogleError::Refused);
        }
        let refresh = body["refresh_token"].as_str().ok_or_else(incomplete)?;
        tokens(refresh, &body, now)
    }

    /// Exchanges a refresh token for new tokens, among which the refresh token may be new. Refused if the reader has
    /// revoked the grant (`invalid_grant`).
    pub(crate) async fn refresh(
        &self,
        refresh_token: &str,
        now: DateTime<Utc>,
    ) -> Result<Tokens, GoogleError> {
        let fields = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token),
        ];
        let body = self.tokens(&fields).await?;
        let refresh = body["refresh_token"].as_str().unwrap_or(refresh_token);
        tokens(refresh, &body, now)
    }

    /// Ends a grant. A grant unknown to Google counts as ended.
    pub(crate) async fn revoke(&self, refresh_token: &str) -> Result<(), GoogleError> {
        let url = &self.settings.revocation_url;
        let fields = [("token", refresh_token)];
        let answer = self.client.post_form(url, &fields).await?;
        if answer.status.is_success() || answer.status == StatusCode::BAD_REQUEST {
            return Ok(());
        }
        Err(unexpected("a revocation", &answer))
    }

    /// Writes an event under its own id. An event that already exists, or that the reader has removed from the
    /// calendar, counts as written.
    pub(crate) async fn write(&self, access_token: &str, event: &Value) -> Result<(), GoogleError> {
        let url = format!("{}/calendars/primary/events", self.settings.api_url);
        let sent = self
            .client
            .call(Method::POST, &url, access_token, Some(event));
        let answer = sent.await?;
        match answer.status {
            StatusCode::CONFLICT => Ok(()),
            _ => settled("an event", &answer),
        }
    }

    /// Removes an event. A missing event counts as removed.
    pub(crate) async fn remove(
        &self,
        access_token: &str,
        google_id: &str,
    ) -> Result<(), GoogleError> {
        let url = format!(
            "{}/calendars/primary/events/{google_id}",
            self.settings.api_url
        );
        let sent = self.client.call(Method::DELETE, &url, access_token, None);
        let answer = sent.await?;
        match answer.status {
            StatusCode::NOT_FOUND | StatusCode::GONE => Ok(()),
            _ => settled("a removal", &answer),
        }
    }

    async fn tokens(&self, fields: &[(&str, &str)]) -> Result<Value, GoogleError> {
        let GoogleSettings {
            client_id,
            client_secret,
            token_url,
            ..
        } = &self.settings;
        let own = [
            ("client_id", client_id.as_str()),
            ("client_secret", client_secret.as_str()),
        ];
        let fields = [&own, fields].concat();
        let answer = self.client.post_form(token_url, &fields).await?;
        if answer.status.is_success() {
            return Ok(answer.body);
        }
        // RFC 6749, section 5.2. Other errors concern the client's settings or Google itself.
        if answer.body["error"] == "invalid_grant" {
            return Err(GoogleError::Refused);
        }
        Err(unexpected("tokens", &answer))
    }
}

/// The outcome of a calendar request. An invalid token is [`GoogleError::Refused`].
fn settled(what: &str, answer: &Answer) -> Result<(), GoogleError> {
    match answer.status {
        StatusCode::UNAUTHORIZED => Err(GoogleError::Refused),
        status if status.is_success() => Ok(()),
        _ => Err(unexpected(what, answer)),
    }
}

fn unexpected(what: &str, answer: &Answer) -> GoogleError {
    // Google's reason, without the reader's data.
    let error = &answer.body["error"];
    let reason = error["status"].as_str().or(error.as_str());
    let reason = reason.unwrap_or_default();
    let message = format!("Google answers {what} with {} {reason}", answer.status);
    match answer.status {
        StatusCode::BAD_REQUEST => GoogleError::Never(message),
        _ => GoogleError::Later(message),
    }
}

fn tokens(refresh: &str, body: &Value, now: DateTime<Utc>) -> Result<Tokens, GoogleError> {
    let access = body["access_token"].as_str().ok_or_else(incomplete)?;
    let seconds = body["expires_in"].as_i64().unwrap_or(USUAL_LIFETIME);
    Ok(Tokens {
        refresh: refresh.to_owned(),
        access: access.to_owned(),
        access_expires_at: now + TimeDelta::seconds(seconds.clamp(0, MAX_LIFETIME)),
    })
}

fn incomplete() -> GoogleError {
    GoogleError::Later("Google's answer lacks a token".to_owned())
}
