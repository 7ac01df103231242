//! A stand-in for Google over HTTP: tokens by OAuth 2.0 with PKCE, and the events of a calendar. A test plays the reader
//! on Google's pages by calls, or in a browser (`pages.rs`).

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

/// The server.
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
    /// Starts one on a free port.
    ///
    /// # Panics
    /// If it cannot be started.
    pub async fn start() -> Self {
        Self::start_at(0).await
    }

    /// Starts one on a port of this machine.
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

    /// The address of one of its resources: `/auth`, `/token`, `/revoke` or `/calendar`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The reader consents on the page at this address: the address that Google sends the browser to.
    ///
    /// # Panics
    /// If the address lacks what Google asks for.
    #[must_use]
    pub fn consent(&self, authorization_url: &str) -> String {
        self.consent_to(authorization_url, SCOPE)
    }

    /// The same without the calendar, which the reader unticks.
    ///
    /// # Panics
    /// As [`Self::consent`].
    #[must_use]
    pub fn consent_without_calendar(&self, authorization_url: &str) -> String {
        self.consent_to(authorization_url, "openid")
    }

    fn consent_to(&self, authorization_url: &str, scope: &str) -> String {
        let parameters = self.parameters(authorization_url);
        lock(&self.known).consent(&parameters, scope)
    }

    /// The reader refuses: the address that Google sends the browser to.
    ///
    /// # Panics
    /// If the address lacks what Google asks for.
    #[must_use]
    pub fn deny(&self, authorization_url: &str) -> String {
        denied(&self.parameters(authorization_url))
    }

    fn parameters(&self, authorization_url: &str) -> Parameters {
        parameters_at(authorization_url, &self.url("/auth"), &EXPECTED)
    }

    /// The reader revokes the grant in the settings of their account.
    pub fn revoke_everything(&self) {
        lock(&self.known).revoke_everything();
    }

    /// All access tokens expire before their time.
    pub fn expire_access_tokens(&self) {
        lock(&self.known).access_tokens.clear();
    }

    /// Answers everything with a status, or works again.
    ///
    /// # Panics
    /// If it is no status.
    pub fn fail_with(&self, status: Option<u16>) {
        lock(&self.known).outage = status.map(oauth::status);
    }

    /// The calendar's events, by id.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        lock(&self.known).events.values().cloned().collect()
    }

    /// How often it was asked to write an event, whether it did or not.
    #[must_use]
    pub fn writes(&self) -> usize {
        lock(&self.known).writes
    }

    /// How often it gave tokens for a refresh token.
    #[must_use]
    pub fn refreshes(&self) -> usize {
        lock(&self.known).refreshes
    }

    /// How often it was told that a grant is no longer needed.
    #[must_use]
    pub fn revocations(&self) -> usize {
        lock(&self.known).revocations
    }

    /// Every token that it has given and that still stands.
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        let known = lock(&self.known);
        let access = known.access_tokens.keys().cloned();
        known.refresh_tokens.iter().cloned().chain(access).collect()
    }
}
