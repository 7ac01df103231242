//! A stand-in for Google over HTTP: tokens by OAuth 2.0 with PKCE, and the events of a calendar. A test plays the reader
//! on Google's pages by calls, or in a browser (`pages.rs`).

mod api;
mod pages;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{Router, http::StatusCode};
use serde_json::Value;
use tokio::{net::TcpListener, task::JoinHandle};

/// The client that it knows.
pub const CLIENT_ID: &str = "guide.apps.test";
/// The secret of that client.
pub const CLIENT_SECRET: &str = "a secret of the stand-in";

const SCOPE: &str = "https://www.googleapis.com/auth/calendar.events";

/// The reader's part of an authorisation, which a code stands for.
struct Consent {
    challenge: String,
    redirect_uri: String,
    scope: String,
}

#[derive(Default)]
struct Known {
    /// Numbers what it gives out.
    given: u64,
    codes: HashMap<String, Consent>,
    refresh_tokens: BTreeSet<String>,
    /// Access tokens, each with its refresh token.
    access_tokens: HashMap<String, String>,
    events: BTreeMap<String, Value>,
    /// The ids of events that were removed; Google does not give them again.
    removed: BTreeSet<String>,
    /// Successful and refused writes.
    writes: usize,
    refreshes: usize,
    revocations: usize,
    /// Its answer to everything, if it is out of order.
    outage: Option<StatusCode>,
}

type Shared = Arc<Mutex<Known>>;

fn lock(known: &Shared) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The server.
pub struct Google {
    address: SocketAddr,
    known: Shared,
    serving: JoinHandle<()>,
}

impl std::fmt::Debug for Google {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Google")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Drop for Google {
    fn drop(&mut self) {
        self.serving.abort();
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
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .await
            .unwrap_or_else(|error| panic!("a port: {error}"));
        let address = listener
            .local_addr()
            .unwrap_or_else(|error| panic!("an address: {error}"));
        let serving = tokio::spawn(async move {
            // It ends with the test.
            let _ = axum::serve(listener, routes).await;
        });
        Self {
            address,
            known,
            serving,
        }
    }

    /// The address of one of its resources: `/auth`, `/token`, `/revoke` or `/calendar`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
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
        let asked = self.asked(authorization_url);
        lock(&self.known).consent(&asked, scope)
    }

    /// The reader refuses: the address that Google sends the browser to.
    ///
    /// # Panics
    /// If the address lacks what Google asks for.
    #[must_use]
    pub fn deny(&self, authorization_url: &str) -> String {
        denied(&self.asked(authorization_url))
    }

    fn asked(&self, authorization_url: &str) -> Asked {
        let page = format!("{}?", self.url("/auth"));
        let query = authorization_url.strip_prefix(&page);
        let query = query.unwrap_or_else(|| panic!("{authorization_url} is not of this Google"));
        asked(query).unwrap_or_else(|why| panic!("{authorization_url}: {why}"))
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
        let status = status.map(|status| {
            StatusCode::from_u16(status).unwrap_or_else(|error| panic!("{status}: {error}"))
        });
        lock(&self.known).outage = status;
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

impl Known {
    /// The reader consents to a scope: the address that Google sends the browser to.
    fn consent(&mut self, asked: &Asked, scope: &str) -> String {
        self.given += 1;
        let code = format!("code-{}", self.given);
        let consent = Consent {
            challenge: asked["code_challenge"].clone(),
            redirect_uri: asked["redirect_uri"].clone(),
            scope: scope.to_owned(),
        };
        self.codes.insert(code.clone(), consent);
        back(asked, "code", &code)
    }

    fn revoke_everything(&mut self) {
        self.refresh_tokens.clear();
        self.access_tokens.clear();
    }
}

/// The parameters of the page that asks for consent.
type Asked = HashMap<String, String>;

/// The parameters of a query, each of which Google asks for.
fn asked(query: &str) -> Result<Asked, String> {
    let asked: Asked = form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    for (name, value) in [
        ("response_type", "code"),
        ("client_id", CLIENT_ID),
        ("scope", SCOPE),
        ("code_challenge_method", "S256"),
        ("access_type", "offline"),
        ("prompt", "consent"),
    ] {
        if asked.get(name).is_none_or(|sent| sent != value) {
            return Err(format!("{name} is not {value}"));
        }
    }
    for name in ["redirect_uri", "code_challenge"] {
        if !asked.contains_key(name) {
            return Err(format!("{name} is missing"));
        }
    }
    if asked.get("state").is_none_or(|state| state.len() < 22) {
        return Err("the state has less than 128 bits".to_owned());
    }
    Ok(asked)
}

/// The reader refuses: the address that Google sends the browser to.
fn denied(asked: &Asked) -> String {
    back(asked, "error", "access_denied")
}

/// The way back to the site.
fn back(asked: &Asked, name: &str, value: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("state", &asked["state"])
        .append_pair(name, value)
        .finish();
    format!("{}?{query}", asked["redirect_uri"])
}
