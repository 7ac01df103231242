//! `event-bookmarks/`: the events that a reader has saved.

use axum::{extract::State, response::Response};
use chassis::saved::Kind;
use serde::Serialize;
use utoipa::ToSchema;

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

/// An event that a reader has saved.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EventBookmark {
    id: i64,
    /// The event's id.
    object_id: i64,
    event: Kept<Event>,
    /// False if the event has been unpublished; the record can be removed.
    is_available: bool,
    /// Whether it is in the reader's calendar.
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

/// The events that the reader has saved, by default the newest first.
#[utoipa::path(get, path = "/api/v2/event-bookmarks/", operation_id = "list_event_bookmarks", tag = "saved",
    params(SavedListParams, PageParams),
    responses((status = 200, body = Page<EventBookmark>), (status = 400, body = ErrorBody), ReadErrors))]
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

/// The whole map from event to record.
#[utoipa::path(get, path = "/api/v2/event-bookmarks/event_ids/", operation_id = "map_event_bookmarks", tag = "saved",
    responses((status = 200, body = SavedMap<EventBookmarkMapEntry>), ReadErrors))]
pub(crate) async fn event_ids(
    State(clients): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    bookmarks::map(&clients, &reader, KIND, entry).await
}

/// Ensures that an event is saved: 201 for a new record, 200 for an existing one.
#[utoipa::path(post, path = "/api/v2/event-bookmarks/", operation_id = "create_event_bookmark", tag = "saved",
    request_body = NewEvent,
    responses((status = 201, body = SavedRecord<EventBookmarkMapEntry>),
        (status = 200, body = SavedRecord<EventBookmarkMapEntry>), CreateErrors, TooMany))]
pub(crate) async fn create(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Body(body): Body<NewEvent>,
) -> Result<Response, ApiError> {
    bookmarks::create(&clients, &reader, KIND, body.id()?, entry).await
}

/// Removes a saved event by its record id. `X-Server-Time` is the instant of the change, `X-Previous-Update`
/// that of the previous change.
#[utoipa::path(delete, path = "/api/v2/event-bookmarks/{id}/", operation_id = "delete_event_bookmark", tag = "saved",
    params(("id" = i64, Path)), responses((status = 204), DeleteErrors, TooMany))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    bookmarks::delete(&clients, &reader, KIND, id).await
}
