//! Calls to the bookmarks service, shared by all kinds.

use axum::response::Response;
use bookmarks_proto::v1::{
    Bookmark, CreateBookmarkRequest, DeleteBookmarkRequest, GetBookmarkMapRequest,
    ListBookmarksRequest, SetDoneRequest,
};
use chrono::{DateTime, Utc};
use cityguide_proto::paging::v1::{PageInfo, PageRequest};
use http::StatusCode;
use serde::Serialize;
use vocabulary::saved::Kind;

use super::answers::{Entry, SavedMap, SavedRecord, created_status, removed};
use crate::{
    edge::{
        answer::{Page, personal},
        error::ApiError,
        params::Params,
        session::Reader,
    },
    services::Clients,
    state::AppState,
};

/// A page of a reader's bookmarks without their targets.
pub(super) struct Listed {
    pub(super) bookmarks: Vec<Bookmark>,
    info: Option<PageInfo>,
    page: PageRequest,
    at: DateTime<Utc>,
}

/// Fetches the requested page; for to-dos, optionally only those that are done or not done.
pub(super) async fn list(
    state: &AppState,
    reader: &Reader,
    kind: Kind,
    params: &Params,
    is_done: Option<bool>,
) -> Result<Listed, ApiError> {
    let at = state.clock.now();
    let page = params.page()?;
    let request = reader.call.request(ListBookmarksRequest {
        kind: kind.name().to_owned(),
        page: Some(page.clone()),
        is_done,
    });
    let listed = state.services.bookmarks().list_bookmarks(request).await?;
    let listed = listed.into_inner();
    Ok(Listed {
        bookmarks: listed.bookmarks,
        info: listed.page,
        page,
        at,
    })
}

impl Listed {
    /// Builds the response: each bookmark with its target, in the kind's format.
    pub(super) fn answer<T, I: Serialize>(
        self,
        path: &'static str,
        params: &Params,
        targets: Vec<T>,
        item: impl Fn(&Bookmark, T) -> I,
    ) -> Response {
        let results = self.bookmarks.iter().zip(targets);
        let results = results.map(|(one, target)| item(one, target)).collect();
        let answer = Page::new(results, self.info, &self.page, params, path).at(self.at);
        personal(StatusCode::OK, &answer)
    }
}

/// Returns the complete map from targets to records; `entry` formats an entry of the kind.
pub(super) async fn map<E: Serialize>(
    clients: &Clients,
    reader: &Reader,
    kind: Kind,
    entry: fn(Entry) -> E,
) -> Result<Response, ApiError> {
    let kind = kind.name().to_owned();
    let request = reader.call.request(GetBookmarkMapRequest { kind });
    let map = clients.bookmarks().get_bookmark_map(request).await?;
    Ok(personal(
        StatusCode::OK,
        &SavedMap::of_bookmarks(map.into_inner(), entry),
    ))
}

/// Saves a target: 201 for a new record, 200 for an existing one.
pub(super) async fn create<E: Serialize>(
    clients: &Clients,
    reader: &Reader,
    kind: Kind,
    target_id: i64,
    entry: fn(Entry) -> E,
) -> Result<Response, ApiError> {
    let bookmark = CreateBookmarkRequest {
        kind: kind.name().to_owned(),
        target_id,
        add_to_calendar: false,
    };
    ensure(clients, reader, bookmark, entry).await
}

/// Saves a target with options that only some kinds have.
pub(super) async fn ensure<E: Serialize>(
    clients: &Clients,
    reader: &Reader,
    bookmark: CreateBookmarkRequest,
    entry: fn(Entry) -> E,
) -> Result<Response, ApiError> {
    let request = reader.call.request(bookmark);
    let created = clients.bookmarks().create_bookmark(request).await?;
    let record = created.into_inner();
    let status = created_status(record.created);
    Ok(personal(status, &SavedRecord::of_bookmark(&record, entry)))
}

/// Marks a to-do as done or not done.
pub(super) async fn set_done<E: Serialize>(
    clients: &Clients,
    reader: &Reader,
    id: i64,
    is_done: bool,
    entry: fn(Entry) -> E,
) -> Result<Response, ApiError> {
    let request = reader.call.request(SetDoneRequest { id, is_done });
    let changed = clients.bookmarks().set_done(request).await?;
    let record = SavedRecord::of_bookmark(&changed.into_inner(), entry);
    Ok(personal(StatusCode::OK, &record))
}

/// Removes a record. `X-Server-Time` is the time of the change, `X-Previous-Update` the time of the previous change.
pub(super) async fn delete(
    clients: &Clients,
    reader: &Reader,
    kind: Kind,
    id: i64,
) -> Result<Response, ApiError> {
    let kind = kind.name().to_owned();
    let request = reader.call.request(DeleteBookmarkRequest { kind, id });
    let deleted = clients.bookmarks().delete_bookmark(request).await?;
    let deleted = deleted.into_inner();
    Ok(removed([
        deleted.stamp.as_ref(),
        deleted.previous_stamp.as_ref(),
    ]))
}
