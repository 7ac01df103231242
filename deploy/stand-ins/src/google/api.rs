//! API called by the site: tokens and calendar events.

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header::AUTHORIZATION},
    response::{IntoResponse, Response},
    routing::{delete, post},
};
use serde_json::{Value, json};

use super::known::{CLIENT_ID, CLIENT_SECRET, Known, Shared, lock};
use crate::oauth::form;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/token", post(token))
        .route("/revoke", post(revoke))
        .route("/calendar/calendars/primary/events", post(insert))
        .route("/calendar/calendars/primary/events/{id}", delete(remove))
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
            // A code is valid once.
            let consent = known.codes.remove(field("code"));
            let Some((_, scope)) = consent.filter(|(grant, _)| grant.is_proven_by(&form)) else {
                return refused("invalid_grant");
            };
            let refresh = format!("refresh-{}", known.given);
            known.refresh_tokens.insert(refresh.clone());
            answer["refresh_token"] = json!(refresh);
            answer["scope"] = json!(scope);
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

/// Returns the response to a call without a valid token, or during an outage.
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
