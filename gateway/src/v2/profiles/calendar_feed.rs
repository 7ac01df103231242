//! `profiles/me/calendar-feed/`: a private feed of the reader's saved events.

use axum::{extract::State, response::Response};
use chassis::origin::Origin;
use http::StatusCode;
use identity_proto::v1::{
    CalendarFeed as FeedMessage, EndFeedRequest, GetFeedRequest, MakeFeedRequest,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{
        answer::{done, personal},
        error::{ApiError, ErrorBody},
        limits::{ProvenWriter, TooMany},
        session::Reader,
    },
    services::Clients,
    v2::time,
};

/// A reader's calendar feed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CalendarFeed {
    /// Address of the feed. Anyone with the address can read the reader's saved events. Null if the feed is off, or if
    /// the key that its secret was derived from has been removed: the feed then still works, but its address cannot be
    /// shown.
    url: Option<String>,
    /// When the address was created; null if the feed is off.
    #[schema(format = DateTime)]
    date_created: Option<String>,
}

/// The reader's calendar feed.
#[utoipa::path(get, path = "/api/v2/profiles/me/calendar-feed/", operation_id = "get_calendar_feed", tag = "profiles",
    responses((status = 200, body = CalendarFeed), (status = 401, body = ErrorBody),
        TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn feed(
    State(services): State<Clients>,
    State(origin): State<Origin>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let request = reader.call.request(GetFeedRequest {});
    let feed = services.calendar_feeds().get_feed(request).await?;
    Ok(answer(StatusCode::OK, &origin, &feed.into_inner()))
}

/// Creates the feed or replaces its address. A previous address immediately stops working. Requires a fresh proof of
/// identity.
#[utoipa::path(post, path = "/api/v2/profiles/me/calendar-feed/", operation_id = "make_calendar_feed", tag = "profiles",
    responses((status = 201, body = CalendarFeed), (status = 401, body = ErrorBody),
        (status = 403, body = ErrorBody), TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn make(
    State(services): State<Clients>,
    State(origin): State<Origin>,
    ProvenWriter(reader): ProvenWriter,
) -> Result<Response, ApiError> {
    let request = reader.call.request(MakeFeedRequest {});
    let feed = services.calendar_feeds().make_feed(request).await?;
    Ok(answer(StatusCode::CREATED, &origin, &feed.into_inner()))
}

/// Deletes the feed, whose address immediately stops working. Has no effect if the feed is off. Requires a fresh proof
/// of identity.
#[utoipa::path(delete, path = "/api/v2/profiles/me/calendar-feed/", operation_id = "end_calendar_feed", tag = "profiles",
    responses((status = 204), (status = 401, body = ErrorBody), (status = 403, body = ErrorBody), TooMany,
        (status = 503, body = ErrorBody)))]
pub(crate) async fn end(
    State(services): State<Clients>,
    ProvenWriter(reader): ProvenWriter,
) -> Result<Response, ApiError> {
    let request = reader.call.request(EndFeedRequest {});
    services.calendar_feeds().end_feed(request).await?;
    Ok(done())
}

fn answer(status: StatusCode, origin: &Origin, feed: &FeedMessage) -> Response {
    let address = |secret: &String| format!("{}/calendar/{secret}.ics", origin.as_str());
    let answer = CalendarFeed {
        url: feed.secret.as_ref().map(address),
        date_created: time::text(feed.date_created.as_ref()),
    };
    personal(status, &answer)
}
