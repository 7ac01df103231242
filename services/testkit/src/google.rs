//! A stand-in for Google over HTTP: tokens by OAuth 2.0 with PKCE, and the events of a calendar. A test plays the reader
//! on Google's pages.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header::AUTHORIZATION},
    response::{IntoResponse, Response},
    routing::{delete, post},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
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
        let known = Shared::default();
        let routes = Router::new()
            .route("/token", post(token))
            .route("/revoke", post(revoke))
            .route("/calendar/calendars/primary/events", post(insert))
            .route("/calendar/calendars/primary/events/{id}", delete(remove))
            .with_state(Arc::clone(&known));
        let listener = TcpListener::bind(("127.0.0.1", 0))
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
        let mut known = lock(&self.known);
        known.given += 1;
        let code = format!("code-{}", known.given);
        let consent = Consent {
            challenge: asked["code_challenge"].clone(),
            redirect_uri: asked["redirect_uri"].clone(),
            scope: scope.to_owned(),
        };
        known.codes.insert(code.clone(), consent);
        back(&asked, "code", &code)
    }

    /// The reader refuses: the address that Google sends the browser to.
    ///
    /// # Panics
    /// If the address lacks what Google asks for.
    #[must_use]
    pub fn deny(&self, authorization_url: &str) -> String {
        back(&self.asked(authorization_url), "error", "access_denied")
    }

    /// The parameters of an address, of which Google asks each.
    fn asked(&self, authorization_url: &str) -> HashMap<String, String> {
        let page = format!("{}?", self.url("/auth"));
        let query = authorization_url.strip_prefix(&page);
        let query = query.unwrap_or_else(|| panic!("{authorization_url} is not of this Google"));
        let asked: HashMap<_, _> = form_urlencoded::parse(query.as_bytes())
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
            assert_eq!(asked[name], value, "{name} of {authorization_url}");
        }
        assert!(asked["state"].len() >= 22, "a state of 128 bits");
        asked
    }

    /// The reader revokes the grant in the settings of their account.
    pub fn revoke_everything(&self) {
        let mut known = lock(&self.known);
        known.refresh_tokens.clear();
        known.access_tokens.clear();
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

/// The way back to the site.
fn back(asked: &HashMap<String, String>, name: &str, value: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("state", &asked["state"])
        .append_pair(name, value)
        .finish();
    format!("{}?{query}", asked["redirect_uri"])
}

fn form(body: &Bytes) -> HashMap<String, String> {
    form_urlencoded::parse(body).into_owned().collect()
}

fn refused(error: &str) -> Response {
    (StatusCode::BAD_REQUEST, Json(json!({"error": error}))).into_response()
}

async fn token(State(known): State<Shared>, body: Bytes) -> Response {
    let (mut known, form) = (lock(&known), form(&body));
    if let Some(status) = known.outage {
        return status.into_response();
    }
    let field = |name: &str| form.get(name).map_or("", String::as_str);
    if (field("client_id"), field("client_secret")) != (CLIENT_ID, CLIENT_SECRET) {
        return (
            StatusCode::UNAUTHORIZED,
            Json(json!({"error": "invalid_client"})),
        )
            .into_response();
    }
    known.given += 1;
    let access = format!("access-{}", known.given);
    let mut answer = json!({"access_token": access, "expires_in": 3599, "token_type": "Bearer"});
    let refresh = match field("grant_type") {
        "authorization_code" => {
            // A code is good once.
            let Some(consent) = known.codes.remove(field("code")) else {
                return refused("invalid_grant");
            };
            let challenge = Sha256::digest(field("code_verifier"));
            let is_proven = BASE64_URL_SAFE_NO_PAD.encode(challenge) == consent.challenge;
            if !is_proven || consent.redirect_uri != field("redirect_uri") {
                return refused("invalid_grant");
            }
            let refresh = format!("refresh-{}", known.given);
            known.refresh_tokens.insert(refresh.clone());
            answer["refresh_token"] = json!(refresh);
            answer["scope"] = json!(consent.scope);
            refresh
        }
        "refresh_token" => {
            let refresh = field("refresh_token").to_owned();
            if !known.refresh_tokens.contains(&refresh) {
                return refused("invalid_grant");
            }
            known.refreshes += 1;
            refresh
        }
        _ => return refused("unsupported_grant_type"),
    };
    known.access_tokens.insert(access, refresh);
    Json(answer).into_response()
}

async fn revoke(State(known): State<Shared>, body: Bytes) -> Response {
    let (mut known, form) = (lock(&known), form(&body));
    if let Some(status) = known.outage {
        return status.into_response();
    }
    let token = form.get("token").cloned().unwrap_or_default();
    if !known.refresh_tokens.remove(&token) {
        return refused("invalid_token");
    }
    known.access_tokens.retain(|_, refresh| *refresh != token);
    known.revocations += 1;
    StatusCode::OK.into_response()
}

/// The answer to a call without a good token, or during an outage.
fn closed(known: &Known, headers: &HeaderMap) -> Option<Response> {
    if let Some(status) = known.outage {
        return Some(status.into_response());
    }
    let token = headers.get(AUTHORIZATION);
    let token = token.and_then(|value| value.to_str().ok());
    let token = token.and_then(|value| value.strip_prefix("Bearer "));
    if token.is_some_and(|token| known.access_tokens.contains_key(token)) {
        return None;
    }
    let error = json!({"error": {"code": 401, "status": "UNAUTHENTICATED"}});
    Some((StatusCode::UNAUTHORIZED, Json(error)).into_response())
}

async fn insert(
    State(known): State<Shared>,
    headers: HeaderMap,
    Json(event): Json<Value>,
) -> Response {
    let mut known = lock(&known);
    known.writes += 1;
    if let Some(response) = closed(&known, &headers) {
        return response;
    }
    let id = event["id"].as_str().unwrap_or_default().to_owned();
    let is_id = |c: char| matches!(c, '0'..='9' | 'a'..='v');
    if !(5..=1024).contains(&id.len()) || !id.chars().all(is_id) || event["start"].is_null() {
        return refused("badRequest");
    }
    if known.events.contains_key(&id) || known.removed.contains(&id) {
        return StatusCode::CONFLICT.into_response();
    }
    known.events.insert(id, event.clone());
    Json(event).into_response()
}

async fn remove(
    State(known): State<Shared>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    let mut known = lock(&known);
    if let Some(response) = closed(&known, &headers) {
        return response;
    }
    if known.events.remove(&id).is_some() {
        known.removed.insert(id);
        return StatusCode::NO_CONTENT.into_response();
    }
    if known.removed.contains(&id) {
        return StatusCode::GONE.into_response();
    }
    StatusCode::NOT_FOUND.into_response()
}
