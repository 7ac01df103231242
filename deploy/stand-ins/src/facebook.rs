//! An HTTP stand-in for Facebook, with OAuth 2.0 and PKCE log-ins and the Graph API for inspecting tokens. A test
//! performs the user's actions with calls or in a browser.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, Query, RawQuery, State},
    http::{HeaderMap, HeaderValue, StatusCode, header::AUTHORIZATION},
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::digest;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::{
    oauth::{self, Grant, Parameters, back, denied, form, parameters, parameters_at},
    server::Server,
};

/// Id of the registered app.
pub const APP_ID: &str = "4207849484";
/// Secret of the registered app.
pub const APP_SECRET: &str = "a secret of the app";

/// Required parameters in addition to the parameters of every OAuth provider.
const EXPECTED: [(&str, &str); 2] = [("client_id", APP_ID), ("scope", "public_profile,email")];

/// A Facebook user.
#[derive(Debug, Clone, Copy)]
pub struct Person {
    /// Id of the user for the app.
    pub id: &'static str,
    /// Name of the user.
    pub name: &'static str,
    /// Email address, if the user has one and shares it.
    pub email: Option<&'static str>,
}

#[derive(Default)]
struct Known {
    /// Counter for generated codes and tokens.
    given: u64,
    /// User who is logged in at Facebook in every browser.
    in_browsers: Option<Person>,
    codes: HashMap<String, (Grant, Person)>,
    /// Tokens with their app and user.
    tokens: HashMap<String, (String, Person)>,
    calls: usize,
    /// Ids of users whose permissions the app has withdrawn.
    disconnected: Vec<String>,
    /// Status of all responses during an outage.
    outage: Option<StatusCode>,
    /// Whether calls are accepted but never answered.
    is_silent: bool,
}

type Shared = Arc<Mutex<Known>>;

fn lock(known: &Shared) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running stand-in for Facebook.
pub struct Facebook {
    server: Server,
    known: Shared,
}

impl std::fmt::Debug for Facebook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Facebook")
            .field("address", &self.server.address)
            .finish_non_exhaustive()
    }
}

impl Facebook {
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
            .route("/dialog", get(ask).post(answer))
            .route("/graph/oauth/access_token", post(access_token))
            .route("/graph/debug_token", get(debug_token))
            .route("/graph/me", get(me))
            .route("/graph/{id}/permissions", delete(disconnect))
            .with_state(Arc::clone(&known));
        let server = Server::start(routes, port).await;
        lock(&known).in_browsers = Some(of_browsers());
        Self { server, known }
    }

    /// Returns the address of a resource: `/dialog` or `/graph`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// The settings of a site that uses this server.
    #[must_use]
    pub fn settings(&self) -> [(&'static str, String); 4] {
        [
            ("CITYGUIDE__FACEBOOK__APP_ID", APP_ID.to_owned()),
            ("CITYGUIDE__FACEBOOK__APP_SECRET", APP_SECRET.to_owned()),
            ("CITYGUIDE__FACEBOOK__DIALOG_URL", self.url("/dialog")),
            ("CITYGUIDE__FACEBOOK__GRAPH_URL", self.url("/graph")),
        ]
    }

    /// Logs a user in at this dialog; returns the address that Facebook redirects to.
    ///
    /// # Panics
    /// If the address lacks a required parameter.
    #[must_use]
    pub fn log_in(&self, dialog: &str, person: Person) -> String {
        lock(&self.known).log_in(&self.parameters(dialog), person)
    }

    /// Refuses the log-in at this dialog; returns the address that Facebook redirects to.
    ///
    /// # Panics
    /// Panics in the same cases as [`Self::log_in`].
    #[must_use]
    pub fn cancel(&self, dialog: &str) -> String {
        denied(&self.parameters(dialog))
    }

    fn parameters(&self, dialog: &str) -> Parameters {
        parameters_at(dialog, &self.url("/dialog"), &EXPECTED)
    }

    /// Returns a token of a user for the registered app.
    #[must_use]
    pub fn token(&self, person: Person) -> String {
        self.token_of_app(APP_ID, person)
    }

    /// Returns a token of a user for an app.
    #[must_use]
    pub fn token_of_app(&self, app: &str, person: Person) -> String {
        lock(&self.known).give(app, person)
    }

    /// Expires all tokens.
    pub fn expire_tokens(&self) {
        lock(&self.known).tokens.clear();
    }

    /// Returns Facebook's request to delete a user's data, as a form.
    ///
    /// # Panics
    /// Never: the length of the secret is valid.
    #[must_use]
    pub fn deletion_of(&self, person: Person, issued_at: DateTime<Utc>) -> String {
        let payload = json!({
            "algorithm": "HMAC-SHA256",
            "issued_at": issued_at.timestamp(),
            "user_id": person.id,
        });
        let payload = BASE64_URL_SAFE_NO_PAD.encode(payload.to_string());
        let signature = BASE64_URL_SAFE_NO_PAD.encode(tag(payload.as_bytes()));
        format!("signed_request={signature}.{payload}")
    }

    /// Responds to all calls with a status, or works again with `None`.
    ///
    /// # Panics
    /// If the number is not a valid status.
    pub fn fail_with(&self, status: Option<u16>) {
        lock(&self.known).outage = status.map(oauth::status);
    }

    /// Accepts calls from now on without responding.
    pub fn fall_silent(&self) {
        lock(&self.known).is_silent = true;
    }

    /// Returns the ids of users whose permissions the app has withdrawn, in this order.
    #[must_use]
    pub fn disconnected(&self) -> Vec<String> {
        lock(&self.known).disconnected.clone()
    }

    /// Returns the number of received calls.
    #[must_use]
    pub fn calls(&self) -> usize {
        lock(&self.known).calls
    }
}

/// Creates the user of a process's stand-in. Each has a different user, because the sites of browser tests share a
/// database.
fn of_browsers() -> Person {
    let process = std::process::id();
    Person {
        // Leaked once per stand-in.
        id: format!("1015{process}").leak(),
        name: "Ada Lovelace",
        email: Some(format!("ada.{process}@example.com").leak()),
    }
}

impl Known {
    /// Logs a user in; returns the address that Facebook redirects to.
    fn log_in(&mut self, parameters: &Parameters, person: Person) -> String {
        self.given += 1;
        let code = format!("code-{}", self.given);
        self.codes
            .insert(code.clone(), (Grant::of(parameters), person));
        back(parameters, "code", &code)
    }

    fn give(&mut self, app: &str, person: Person) -> String {
        self.given += 1;
        let token = format!("token-{}", self.given);
        self.tokens.insert(token.clone(), (app.to_owned(), person));
        token
    }
}

fn tag(text: &[u8]) -> [u8; 32] {
    let mut code = Hmac::<Sha256>::new_from_slice(APP_SECRET.as_bytes())
        .unwrap_or_else(|error| panic!("a key: {error}"));
    code.update(text);
    code.finalize().into_bytes().into()
}

/// Counts a call. Returns the response during an outage, and never returns in silent mode.
async fn called(known: &Shared) -> Option<Response> {
    let (outage, is_silent) = {
        let mut known = lock(known);
        known.calls += 1;
        (known.outage, known.is_silent)
    };
    if is_silent {
        std::future::pending::<()>().await;
    }
    outage.map(IntoResponse::into_response)
}

/// Shows the consent page to a browser. The person who logs in is always the same.
async fn ask(RawQuery(query): RawQuery) -> Response {
    let parameters = parameters(&query.unwrap_or_default(), &EXPECTED);
    oauth::page(
        &parameters,
        "Facebook",
        "Log in to the site as Ada Lovelace?",
    )
}

async fn answer(State(known): State<Shared>, RawQuery(query): RawQuery, body: Bytes) -> Response {
    let parameters = parameters(&query.unwrap_or_default(), &EXPECTED);
    oauth::answer(parameters, &body, |parameters| {
        let mut known = lock(&known);
        match known.in_browsers {
            Some(person) => known.log_in(parameters, person),
            None => denied(parameters),
        }
    })
}

fn refused(code: u64, message: &str) -> Response {
    let error = json!({"message": message, "type": "OAuthException", "code": code});
    (StatusCode::BAD_REQUEST, Json(json!({"error": error}))).into_response()
}

async fn access_token(State(known): State<Shared>, body: Bytes) -> Response {
    if let Some(outage) = called(&known).await {
        return outage;
    }
    let form = form(&body);
    let field = |name: &str| form.get(name).map_or("", String::as_str);
    if (field("client_id"), field("client_secret")) != (APP_ID, APP_SECRET) {
        return refused(1, "Error validating client secret.");
    }
    let mut known = lock(&known);
    match known.codes.remove(field("code")) {
        Some((grant, person)) if grant.is_proven_by(&form) => {
            let token = known.give(APP_ID, person);
            Json(json!({"access_token": token, "token_type": "bearer", "expires_in": 5_183_944}))
                .into_response()
        }
        _ => refused(100, "This authorization code has been used."),
    }
}

type QueryParameters = Query<HashMap<String, String>>;

async fn debug_token(State(known): State<Shared>, Query(parameters): QueryParameters) -> Response {
    if let Some(outage) = called(&known).await {
        return outage;
    }
    let parameter = |name: &str| parameters.get(name).map_or("", String::as_str);
    if parameter("access_token") != format!("{APP_ID}|{APP_SECRET}") {
        return refused(190, "Invalid OAuth access token signature.");
    }
    let known = lock(&known);
    let data: Value = match known.tokens.get(parameter("input_token")) {
        Some((app, person)) => {
            json!({"app_id": app, "is_valid": true, "user_id": person.id, "type": "USER"})
        }
        None => {
            json!({"is_valid": false, "error": {"code": 190, "message": "Malformed access token"}})
        }
    };
    Json(json!({"data": data})).into_response()
}

/// Withdraws all permissions of a user. The app's own token is required.
async fn disconnect(
    State(known): State<Shared>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    if let Some(outage) = called(&known).await {
        return outage;
    }
    let token = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes);
    if token != Some(format!("Bearer {APP_ID}|{APP_SECRET}").as_bytes()) {
        return refused(190, "Invalid OAuth access token signature.");
    }
    lock(&known).disconnected.push(id);
    Json(json!({"success": true})).into_response()
}

async fn me(State(known): State<Shared>, Query(parameters): QueryParameters) -> Response {
    if let Some(outage) = called(&known).await {
        return outage;
    }
    let parameter = |name: &str| parameters.get(name).map_or("", String::as_str);
    let token = parameter("access_token");
    let known = lock(&known);
    let Some((_, person)) = known.tokens.get(token) else {
        return refused(190, "The access token could not be decrypted.");
    };
    if parameter("appsecret_proof") != digest::text(&tag(token.as_bytes())) {
        return refused(100, "Invalid appsecret_proof provided in the API argument.");
    }
    let mut answer = json!({"id": person.id, "name": person.name});
    if let Some(email) = person.email {
        answer["email"] = json!(email);
    }
    Json(answer).into_response()
}
