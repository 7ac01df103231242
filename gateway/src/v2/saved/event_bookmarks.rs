//! `event-bookmarks/`: events saved by a reader.

use axum::{extract::State, response::Response};
use bookmarks_proto::v1::CreateBookmarkRequest;
use editorial_proto::v1::{GetItemsRequest, Kind as ItemKind};
use identity_proto::v1::CheckCalendarRequest;
use serde::Serialize;
use utoipa::ToSchema;
use vocabulary::saved::Kind;

use super::{
    answers::{
        CreateErrors, DeleteErrors, Entry, Kept, ReadErrors, SavedListParams, SavedMap, SavedRecord,
    },
    bodies::NewEvent,
    bookmarks, items,
};
use crate::{
    edge::{
        answer::{Page, PageParams},
        body::Body,
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{TooMany, Writer},
        params::Params,
        session::Reader,
    },
    services::Clients,
    state::AppState,
    v2::{items::events::Event, time},
};

const KIND: Kind = Kind::EventBookmarks;
const PATH: &str = "/api/v2/event-bookmarks/";

/// A saved event.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventBookmark {
    id: i64,
    /// The event's id.
    object_id: i64,
    event: Kept<Event>,
    /// False if the event is no longer published. The record can still be removed.
    is_available: bool,
    /// Whether the event is in the reader's own calendar.
    add_to_calendar: bool,
    #[schema(format = DateTime)]
    date_created: Option<String>,
}

/// An entry of the map.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventBookmarkMapEntry {
    id: i64,
    object_id: i64,
}

fn entry(entry: Entry) -> EventBookmarkMapEntry {
    EventBookmarkMapEntry {
        id: entry.id,
        object_id: entry.target_id,
    }
}

/// The reader's saved events, by default most recently saved first.
#[utoipa::path(get, path = "/api/v2/event-bookmarks/", operation_id = "list_event_bookmarks", tag = "saved",
    params(SavedListParams, PageParams),
    responses((status = 200, body = Page<EventBookmark>), (status = 400, body = ErrorBody), ReadErrors, TooMany))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let listed = bookmarks::list(&state, &reader, KIND, &params, None).await?;
    let events = items::find(&state, &reader, &listed.bookmarks).await?;
    Ok(
        listed.answer(PATH, &params, events, |one, event| EventBookmark {
            id: one.id,
            object_id: one.target_id,
            is_available: event.is_available(),
            event,
            add_to_calendar: one.add_to_calendar(),
            date_created: time::text(one.date_created.as_ref()),
        }),
    )
}

/// The complete map from event ids to records.
#[utoipa::path(get, path = "/api/v2/event-bookmarks/event_ids/", operation_id = "map_event_bookmarks", tag = "saved",
    responses((status = 200, body = SavedMap<EventBookmarkMapEntry>), ReadErrors, TooMany))]
pub(crate) async fn event_ids(
    State(clients): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    bookmarks::map(&clients, &reader, KIND, entry).await
}

/// Saves an event: 201 for a new record, 200 for an existing one. If the event is also for the reader's calendar and
/// the calendar is not authorised, returns 409 with status 101 and saves nothing. `profiles/oauth-authorization` then
/// starts an authorisation; the reader's consent saves the event.
#[utoipa::path(post, path = "/api/v2/event-bookmarks/", operation_id = "create_event_bookmark", tag = "saved",
    request_body = NewEvent,
    responses((status = 201, body = SavedRecord<EventBookmarkMapEntry>),
        (status = 200, body = SavedRecord<EventBookmarkMapEntry>), CreateErrors, (status = 409, body = ErrorBody),
        TooMany))]
pub(crate) async fn create(
    State(state): State<AppState>,
    Writer(reader): Writer,
    Body(body): Body<NewEvent>,
) -> Result<Response, ApiError> {
    let event = body.id()?;
    let add_to_calendar = body.is_for_calendar() && state.site.has_calendars;
    if add_to_calendar {
        authorised(&state.services, &reader, event).await?;
    }
    let bookmark = CreateBookmarkRequest {
        kind: KIND.name().to_owned(),
        target_id: event,
        add_to_calendar,
    };
    bookmarks::ensure(&state.services, &reader, bookmark, entry).await
}

/// Rejects an event for a calendar that is not authorised. A missing event passes, so that readers are not asked for an
/// authorisation in vain.
async fn authorised(clients: &Clients, reader: &Reader, event: i64) -> Result<(), ApiError> {
    let request = reader.call.request(GetItemsRequest {
        kind: ItemKind::Event.into(),
        ids: vec![event],
    });
    let found = clients.editorial().get_items(request).await?;
    if found.into_inner().items.is_empty() {
        // The bookmarks service rejects the event, or still has a record of it from before it was unpublished.
        return Ok(());
    }
    let request = reader.call.request(CheckCalendarRequest {
        event_id: event,
        session_token: reader.secret.clone(),
    });
    let checked = clients.calendars().check_calendar(request).await?;
    if checked.into_inner().is_authorised {
        return Ok(());
    }
    Err(ApiError::calendar_authorization_required())
}

/// Removes a saved event by its record id. `X-Server-Time` is the time of the change, `X-Previous-Update` the time of
/// the previous change.
#[utoipa::path(delete, path = "/api/v2/event-bookmarks/{id}/", operation_id = "delete_event_bookmark", tag = "saved",
    params(("id" = i64, Path)), responses((status = 204), DeleteErrors, TooMany))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    bookmarks::delete(&clients, &reader, KIND, id).await
}
