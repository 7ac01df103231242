//! Google's pages in a browser: the consent page, and the reader's account settings, which browser tests use with
//! calls.

use axum::{
    Json, Router,
    body::Bytes,
    extract::{RawQuery, State},
    http::StatusCode,
    response::Response,
    routing::{get, post},
};
use serde_json::{Value, json};

use super::known::{EXPECTED, SCOPE, Shared, lock};
use crate::oauth::{self, parameters};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/auth", get(ask).post(answer))
        .route("/account", get(account))
        .route("/account/revoke", post(revoke))
        .route("/account/expire", post(expire))
}

async fn ask(RawQuery(query): RawQuery) -> Response {
    let parameters = parameters(&query.unwrap_or_default(), &EXPECTED);
    oauth::page(
        &parameters,
        "Google",
        "The site wants to write events to your calendar",
    )
}

async fn answer(State(known): State<Shared>, RawQuery(query): RawQuery, body: Bytes) -> Response {
    let parameters = parameters(&query.unwrap_or_default(), &EXPECTED);
    oauth::answer(parameters, &body, |parameters| {
        lock(&known).consent(parameters, SCOPE)
    })
}

/// Returns the calendar's events and the numbers of calls.
async fn account(State(known): State<Shared>) -> Json<Value> {
    let known = lock(&known);
    Json(json!({
        "events": known.events.values().collect::<Vec<_>>(),
        "writes": known.writes,
        "refreshes": known.refreshes,
    }))
}

async fn revoke(State(known): State<Shared>) -> StatusCode {
    lock(&known).revoke_everything();
    StatusCode::NO_CONTENT
}

async fn expire(State(known): State<Shared>) -> StatusCode {
    lock(&known).access_tokens.clear();
    StatusCode::NO_CONTENT
}
