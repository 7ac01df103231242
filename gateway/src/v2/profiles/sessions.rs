//! GET `profiles/me/sessions/` and DELETE `profiles/me/sessions/{id}/`: devices on which the reader is signed in.

use axum::{extract::State, response::Response};
use http::StatusCode;
use identity_proto::v1::{EndSessionRequest, ListSessionsRequest};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::{Page, done, personal},
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{TooMany, Writer},
        session::Reader,
    },
    state::AppState,
    v2::time,
};

/// A session.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Session {
    id: i64,
    /// "Firefox on Linux".
    device: String,
    #[schema(format = DateTime)]
    date_created: Option<String>,
    /// Time of the latest activity, to the minute.
    #[schema(format = DateTime)]
    last_active: Option<String>,
    /// Whether this request belongs to the session.
    is_current: bool,
}

/// The reader's sessions, at most 100, latest activity first.
#[utoipa::path(get, path = "/api/v2/profiles/me/sessions/", operation_id = "list_sessions",
    tag = "profiles",
    responses((status = 200, body = Page<Session>), (status = 401, body = ErrorBody),
        TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(ListSessionsRequest {
        session_token: reader.secret.clone(),
    });
    let listed = state.services.identity().list_sessions(request).await?;
    let sessions = listed.into_inner().sessions.into_iter();
    let sessions = sessions
        .map(|session| Session {
            id: session.id,
            device: session.device,
            date_created: time::text(session.date_created.as_ref()),
            last_active: time::text(session.last_active.as_ref()),
            is_current: session.is_current,
        })
        .collect();
    let page = Page::whole(sessions);
    Ok(personal(StatusCode::OK, &page.at(state.clock.now())))
}

/// Ends one of the reader's sessions immediately.
#[utoipa::path(delete, path = "/api/v2/profiles/me/sessions/{id}/", operation_id = "end_session",
    tag = "profiles", params(("id" = i64, Path)),
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn end(
    State(state): State<AppState>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    let request = reader.call.request(EndSessionRequest { id });
    state.services.identity().end_session(request).await?;
    Ok(done())
}
