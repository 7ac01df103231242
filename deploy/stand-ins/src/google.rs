//! An HTTP stand-in for Google, with OAuth 2.0 and PKCE tokens and the events of a calendar. A test performs the
//! reader's actions with calls or in a browser (`pages.rs`).

mod api;
mod known;
mod pages;

use std::sync::Arc;

use axum::Router;
use serde_json::Value;

pub use self::known::{CLIENT_ID, CLIENT_SECRET};
use self::known::{EXPECTED, SCOPE, Shared, lock};
use crate::{
    oauth::{self, Parameters, denied, parameters_at},
    server::Server,
};

/// A running stand-in for Google.
pub struct Google {
    server: Server,
    known: Shared,
}

impl std::fmt::Debug for Google {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Google")
            .field("address", &self.server.address)
            .finish_non_exhaustive()
    }
}

impl Google {
    /// Starts a server on a free port.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn start() -> Self {
        Self::start_at(0).await
    }

    /// Starts a server on a local port.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn start_at(port: u16) -> Self {
        let known = Shared::default();
        let routes = Router::new()
            .merge(api::routes())
            .merge(pages::routes())
            .with_state(Arc::clone(&known));
        let server = Server::start(routes, port).await;
        Self { server, known }
    }

    /// Returns the address of a resource: `/auth`, `/token`, `/revoke` or `/calendar`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The settings of a site that uses this server.
    #[must_use]
    pub fn settings(&self) -> [(&'static str, String); 6] {
        [
            (
                "CITYGUIDE__CALENDAR__GOOGLE__CLIENT_ID",
                CLIENT_ID.to_owned(),
            ),
            (
                "CITYGUIDE__CALENDAR__GOOGLE__CLIENT_SECRET",
                CLIENT_SECRET.to_owned(),
            ),
            (
                "CITYGUIDE__CALENDAR__GOOGLE__AUTHORIZATION_URL",
                self.url("/auth"),
            ),
            ("CITYGUIDE__CALENDAR__GOOGLE__TOKEN_URL", self.url("/token")),
            (
                "CITYGUIDE__CALENDAR__GOOGLE__REVOCATION_URL",
                self.url("/revoke"),
            ),
            (
                "CITYGUIDE__CALENDAR__GOOGLE__API_URL",
                self.url("/calendar"),
            ),
        ]
    }

    /// Consents at this page; returns the address that Google redirects to.
    ///
    /// # Panics
    /// If the address lacks a required parameter.
    #[must_use]
    pub fn consent(&self, authorization_url: &str) -> String {
        self.consent_to(authorization_url, SCOPE)
    }

    /// Consents without access to the calendar; returns the address that Google redirects to.
    ///
    /// # Panics
    /// Panics in the same cases as [`Self::consent`].
    #[must_use]
    pub fn consent_without_calendar(&self, authorization_url: &str) -> String {
        self.consent_to(authorization_url, "openid")
    }

    fn consent_to(&self, authorization_url: &str, scope: &str) -> String {
        let parameters = self.parameters(authorization_url);
        lock(&self.known).consent(&parameters, scope)
    }

    /// Refuses consent; returns the address that Google redirects to.
    ///
    /// # Panics
    /// If the address lacks a required parameter.
    #[must_use]
    pub fn deny(&self, authorization_url: &str) -> String {
        denied(&self.parameters(authorization_url))
    }

    fn parameters(&self, authorization_url: &str) -> Parameters {
        parameters_at(authorization_url, &self.url("/auth"), &EXPECTED)
    }

    /// Revokes the grant, like a reader in their account settings.
    pub fn revoke_everything(&self) {
        lock(&self.known).revoke_everything();
    }

    /// Expires all access tokens early.
    pub fn expire_access_tokens(&self) {
        lock(&self.known).access_tokens.clear();
    }

    /// Responds to all calls with a status, or works again with `None`.
    ///
    /// # Panics
    /// If the number is not a valid status.
    pub fn fail_with(&self, status: Option<u16>) {
        lock(&self.known).outage = status.map(oauth::status);
    }

    /// Returns the calendar's events, ordered by id.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        lock(&self.known).events.values().cloned().collect()
    }

    /// Returns the number of attempts to write an event, successful or not.
    #[must_use]
    pub fn writes(&self) -> usize {
        lock(&self.known).writes
    }

    /// Returns the number of token refreshes.
    #[must_use]
    pub fn refreshes(&self) -> usize {
        lock(&self.known).refreshes
    }

    /// Returns the number of revocations.
    #[must_use]
    pub fn revocations(&self) -> usize {
        lock(&self.known).revocations
    }

    /// Returns all valid tokens.
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        let known = lock(&self.known);
        let access = known.access_tokens.keys().cloned();
        known.refresh_tokens.iter().cloned().chain(access).collect()
    }
}
