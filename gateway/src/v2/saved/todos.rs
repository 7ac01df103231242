//! `todos/`: places that a reader wants to visit.

use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use vocabulary::saved::Kind;

use super::{
    answers::{
        ChangeErrors, CreateErrors, DeleteErrors, Entry, Kept, ReadErrors, SavedListParams,
        SavedMap, SavedRecord,
    },
    bodies::NewPlace,
    bookmarks, places,
};
use crate::{
    edge::{
        answer::{Page, PageParams},
        body::{Body, required},
        error::{ApiError, ErrorBody},
        id::Id,
        limits::{TooMany, Writer},
        params::Params,
        session::Reader,
    },
    services::Clients,
    state::AppState,
    v2::{listing::Listing, time},
};

const KIND: Kind = Kind::Todos;
const PATH: &str = "/api/v2/todos/";

/// A to-do: a place that the reader wants to visit.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Todo {
    id: i64,
    listing: Kept<Listing>,
    /// False if the place is no longer published. The record can still be removed.
    is_available: bool,
    /// Whether the reader has marked the to-do as done.
    is_done: bool,
    #[schema(format = DateTime)]
    date_created: Option<String>,
}

/// A change of a to-do.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct TodoChange {
    #[schema(example = true)]
    is_done: Option<bool>,
}

/// An entry of the map.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TodoMapEntry {
    id: i64,
    listing_id: i64,
    is_done: bool,
}

fn entry(entry: Entry) -> TodoMapEntry {
    TodoMapEntry {
        id: entry.id,
        listing_id: entry.target_id,
        is_done: entry.is_done,
    }
}

/// The reader's to-dos, by default most recently saved first.
#[utoipa::path(get, path = "/api/v2/todos/", operation_id = "list_todos", tag = "saved",
    params(
        SavedListParams,
        ("completed" = Option<String>, Query, pattern = "^[01]?$", description = "1: those that are done; 0: those that are not."),
        PageParams,
    ),
    responses((status = 200, body = Page<Todo>), (status = 400, body = ErrorBody), ReadErrors, TooMany))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let is_done = params.truth("completed")?;
    let listed = bookmarks::list(&state, &reader, KIND, &params, is_done).await?;
    let listings = places::find(&state, &reader, &listed.bookmarks).await?;
    Ok(listed.answer(PATH, &params, listings, |one, listing| Todo {
        id: one.id,
        is_available: listing.is_available(),
        listing,
        is_done: one.is_done(),
        date_created: time::text(one.date_created.as_ref()),
    }))
}

/// The complete map from place ids to records.
#[utoipa::path(get, path = "/api/v2/todos/listing_ids/", operation_id = "map_todos", tag = "saved",
    responses((status = 200, body = SavedMap<TodoMapEntry>), ReadErrors, TooMany))]
pub(crate) async fn listing_ids(
    State(clients): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    bookmarks::map(&clients, &reader, KIND, entry).await
}

/// Saves a place as a to-do: 201 for a new record, 200 for an existing one.
#[utoipa::path(post, path = "/api/v2/todos/", operation_id = "create_todo", tag = "saved",
    request_body = NewPlace,
    responses((status = 201, body = SavedRecord<TodoMapEntry>),
        (status = 200, body = SavedRecord<TodoMapEntry>), CreateErrors, TooMany))]
pub(crate) async fn create(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Body(body): Body<NewPlace>,
) -> Result<Response, ApiError> {
    bookmarks::create(&clients, &reader, KIND, body.id()?, entry).await
}

/// Marks a to-do as done or not done, by its record id.
#[utoipa::path(patch, path = "/api/v2/todos/{id}/", operation_id = "update_todo", tag = "saved",
    params(("id" = i64, Path)), request_body = TodoChange,
    responses((status = 200, body = SavedRecord<TodoMapEntry>), ChangeErrors, TooMany))]
pub(crate) async fn update(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
    Body(body): Body<TodoChange>,
) -> Result<Response, ApiError> {
    let is_done = required("is_done", body.is_done)?;
    bookmarks::set_done(&clients, &reader, id, is_done, entry).await
}

/// Removes a to-do by its record id. `X-Server-Time` is the time of the change, `X-Previous-Update` the time of the
/// previous change.
#[utoipa::path(delete, path = "/api/v2/todos/{id}/", operation_id = "delete_todo", tag = "saved",
    params(("id" = i64, Path)), responses((status = 204), DeleteErrors, TooMany))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    bookmarks::delete(&clients, &reader, KIND, id).await
}
