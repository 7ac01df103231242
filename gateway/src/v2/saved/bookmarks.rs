//! The calls of every kind to the service that owns bookmarks.

use axum::response::Response;
use chassis::saved::Kind;
use cityguide_proto::{
    bookmarks::v1::{
        Bookmark, CreateBookmarkRequest, DeleteBookmarkRequest, GetBookmarkMapRequest,
        ListBookmarksRequest, SetDoneRequest,
    },
    paging::v1::{PageInfo, PageRequest},
};
use http::{HeaderValue, StatusCode};
use serde::Serialize;

use super::answers::{Entry, SavedMap, SavedRecord};
use crate::{
    edge::{
        answer::{done, personal},
        error::ApiError,
        session::Reader,
    },
    services::Clients,
    v2::time,
};

/// A page of a reader's bookmarks from the service, of to-dos perhaps only those that are done or only those that are
/// not; the kind adds their targets.
pub(super) async fn list(
    clients: &Clients,
    reader: &Reader,
    kind: Kind,
    page: PageRequest,
    is_done: Option<bool>,
) -> Result<(Vec<Bookmark>, Option<PageInfo>), ApiError> {
    let request = reader.call.request(ListBookmarksRequest {
        kind: kind.name().to_owned(),
        page: Some(page),
        is_done,
    });
    let listed = clients.bookmarks().list_bookmarks(request).await?;
    let listed = listed.into_inner();
    Ok((listed.bookmarks, listed.page))
}

/// The whole map from target to record; `entry` is the kind's.
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
        &SavedMap::new(map.into_inner(), entry),
    ))
}

/// Ensures that a target is saved: 201 for a new record, 200 for an existing one.
pub(super) async fn create<E: Serialize>(
    clients: &Clients,
    reader: &Reader,
    kind: Kind,
    target_id: i64,
    entry: fn(Entry) -> E,
) -> Result<Response, ApiError> {
    let request = reader.call.request(CreateBookmarkRequest {
        kind: kind.name().to_owned(),
        target_id,
        add_to_calendar: false,
    });
    let created = clients.bookmarks().create_bookmark(request).await?;
    let record = created.into_inner();
    let status = if record.created {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    };
    Ok(personal(status, &SavedRecord::new(&record, entry)))
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
    let record = SavedRecord::new(&changed.into_inner(), entry);
    Ok(personal(StatusCode::OK, &record))
}

/// Removes a record. `X-Server-Time` is the instant of the change, `X-Previous-Update` that of the previous
/// change.
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
    let mut response = done();
    for (name, at) in [
        ("x-server-time", deleted.stamp),
        ("x-previous-update", deleted.previous_stamp),
    ] {
        if let Some(at) = time::text(at.as_ref())
            && let Ok(at) = HeaderValue::from_str(&at)
        {
            response.headers_mut().insert(name, at);
        }
    }
    Ok(response)
}
