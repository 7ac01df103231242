//! `profiles/me/calendar/`: connection to the reader's own calendar.

use axum::{extract::State, response::Response};
use http::StatusCode;
use identity_proto::v1::{DisconnectCalendarRequest, GetCalendarRequest};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::{done, personal},
        error::{ApiError, ErrorBody},
        limits::{TooMany, Writer},
        session::Reader,
    },
    services::Clients,
    v2::time,
};

/// Connection to the reader's own calendar.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Calendar {
    /// Whether the site can write to the calendar. The owner may have revoked the access since.
    is_connected: bool,
    /// When the calendar was connected; null if it is not connected.
    #[schema(format = DateTime)]
    date_connected: Option<String>,
}

/// The connection to the reader's own calendar. 404 if the site does not support calendars.
#[utoipa::path(get, path = "/api/v2/profiles/me/calendar/", operation_id = "get_calendar", tag = "profiles",
    responses((status = 200, body = Calendar), (status = 401, body = ErrorBody), (status = 404, body = ErrorBody),
        TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn calendar(
    State(services): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(GetCalendarRequest {});
    let found = services.calendars().get_calendar(request).await?;
    let connected = found.into_inner().date_connected;
    let answer = Calendar {
        is_connected: connected.is_some(),
        date_connected: time::text(connected.as_ref()),
    };
    Ok(personal(StatusCode::OK, &answer))
}

/// Ends the connection and resets the calendar choice to null; has no effect if no calendar is connected. Events
/// already written remain in the calendar. 404 if the site does not support calendars.
#[utoipa::path(delete, path = "/api/v2/profiles/me/calendar/", operation_id = "disconnect_calendar", tag = "profiles",
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
        (status = 404, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn disconnect(
    State(services): State<Clients>,
    Writer(reader): Writer,
) -> Result<Response, ApiError> {
    let request = reader.call.request(DisconnectCalendarRequest {});
    services.calendars().disconnect_calendar(request).await?;
    Ok(done())
}
