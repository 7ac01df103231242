//! GET `profiles/status/`: the signed-in reader, if any.

use axum::{extract::State, response::Response};
use chassis::{clock::SharedClock, instant, origin::Origin};
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::{
    answer::personal,
    error::{ApiError, ErrorBody},
    limits::TooMany,
    session::{self, Visitor},
};

/// Sign-in status.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuthStatus {
    /// The profile's id; null for a guest.
    id: Option<i64>,
    #[schema(format = DateTime)]
    server_time: String,
}

/// Returns the sign-in status. Renews the session's cookies, or removes them if the session has ended.
#[utoipa::path(get, path = "/api/v2/profiles/status/", operation_id = "auth_status", tag = "profiles",
    responses((status = 200, body = AuthStatus), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn status(
    State(origin): State<Origin>,
    State(clock): State<SharedClock>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let server_time = instant::to_rfc3339(clock.now());
    let id = match &visitor {
        Visitor::Reader(reader) => Some(reader.profile_id),
        Visitor::Guest => None,
    };
    let mut response = personal(StatusCode::OK, &AuthStatus { id, server_time });
    match visitor {
        Visitor::Reader(reader) => session::set(&mut response, &origin, &reader.secret),
        Visitor::Guest if session::has_hint(&headers) => {
            session::clear(&mut response, &origin);
        }
        Visitor::Guest => {}
    }
    Ok(response)
}
