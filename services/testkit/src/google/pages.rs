//! Google's pages as a browser shows them: the one that asks for consent, and the settings of the reader's account, which
//! a journey reaches by calls.

use axum::{
    Json, Router,
    body::Bytes,
    extract::{RawQuery, State},
    http::StatusCode,
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde_json::{Value, json};

use super::{SCOPE, Shared, api::form, asked, denied, lock};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/auth", get(ask).post(answer))
        .route("/account", get(account))
        .route("/account/revoke", post(revoke))
        .route("/account/expire", post(expire))
}

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>A stand-in for Google</title>
<h1>The site wants to write events to your calendar</h1>
<form method="post">
<button name="answer" value="allow">Allow</button>
<button name="answer" value="deny">Deny</button>
</form>
</html>
"#;

/// Asks the reader. The form goes to the same address, with the site's parameters.
async fn ask(RawQuery(query): RawQuery) -> Response {
    match asked(&query.unwrap_or_default()) {
        Ok(_) => Html(PAGE).into_response(),
        Err(why) => (StatusCode::BAD_REQUEST, why).into_response(),
    }
}

async fn answer(State(known): State<Shared>, RawQuery(query): RawQuery, body: Bytes) -> Response {
    let asked = match asked(&query.unwrap_or_default()) {
        Ok(asked) => asked,
        Err(why) => return (StatusCode::BAD_REQUEST, why).into_response(),
    };
    let address = if form(&body)
        .get("answer")
        .is_some_and(|answer| answer == "allow")
    {
        lock(&known).consent(&asked, SCOPE)
    } else {
        denied(&asked)
    };
    Redirect::to(&address).into_response()
}

/// The calendar's events, and what was asked of Google.
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
