//! Responses shared by all kinds of saved objects, and the errors of their calls in the OpenAPI document.

use axum::response::Response;
use bookmarks_proto::v1::{Bookmark, BookmarkMap, BookmarkRecord};
use http::{HeaderValue, StatusCode};
use prost_types::Timestamp;
use serde::Serialize;
use utoipa::{IntoParams, IntoResponses, ToSchema};

use crate::{
    edge::{answer::done, error::ErrorBody},
    v2::time,
};

/// An object in a reader's list. Of an unpublished object, only the name is included.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Kept<T> {
    /// A published object, with the same fields as in other lists.
    Published(Box<T>),
    /// An unpublished object.
    Unpublished { id: i64, name: String },
}

impl<T> Kept<T> {
    /// Builds the entry of an object, which is `None` if it is not published.
    pub(super) fn new(id: i64, name: String, thing: Option<T>) -> Self {
        match thing {
            Some(thing) => Self::Published(Box::new(thing)),
            None => Self::Unpublished { id, name },
        }
    }

    /// Builds the entry of a bookmark's target, which is `None` if it is not published.
    pub(super) fn of_bookmark(bookmark: &Bookmark, target: Option<T>) -> Self {
        Self::new(bookmark.target_id, bookmark.target_name.clone(), target)
    }

    pub(super) fn is_available(&self) -> bool {
        matches!(self, Self::Published(_))
    }
}

/// Data for an entry of a kind's map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) id: i64,
    pub(super) target_id: i64,
    /// False for kinds without a done state.
    pub(super) is_done: bool,
}

/// The complete map from targets to records.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SavedMap<E> {
    results: Vec<E>,
    /// The map includes all changes up to this time.
    #[schema(format = DateTime, required = true)]
    server_time: Option<String>,
}

impl<E> SavedMap<E> {
    /// A map that includes all changes up to a time.
    pub(super) fn new(results: Vec<E>, as_of: Option<&Timestamp>) -> Self {
        Self {
            results,
            server_time: time::text(as_of),
        }
    }

    /// The map of a kind of bookmarks.
    pub(super) fn of_bookmarks(map: BookmarkMap, entry: fn(Entry) -> E) -> Self {
        let entries = map.entries.into_iter().map(|one| Entry {
            id: one.id,
            target_id: one.target_id,
            is_done: one.is_done(),
        });
        Self::new(entries.map(entry).collect(), map.as_of.as_ref())
    }
}

/// The record of a saved object.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SavedRecord<E> {
    /// The fields that the object's entry in the map also has.
    #[serde(flatten)]
    entry: E,
    #[schema(format = DateTime)]
    date_created: Option<String>,
    /// Time of this reader's last change of the kind, including this request.
    #[schema(format = DateTime, required = true)]
    server_time: Option<String>,
    /// Time of the previous change, or null for the first change. A client whose map is older than this has missed a
    /// change by another device.
    #[schema(format = DateTime, required = true)]
    previous_update: Option<String>,
}

impl<E> SavedRecord<E> {
    /// A record with its creation time and the stamps of the change.
    pub(super) fn new(
        entry: E,
        date_created: Option<&Timestamp>,
        [stamp, previous_stamp]: [Option<&Timestamp>; 2],
    ) -> Self {
        Self {
            entry,
            date_created: time::text(date_created),
            server_time: time::text(stamp),
            previous_update: time::text(previous_stamp),
        }
    }

    /// The record of a bookmark.
    pub(super) fn of_bookmark(record: &BookmarkRecord, entry: fn(Entry) -> E) -> Self {
        let entry = entry(Entry {
            id: record.id,
            target_id: record.target_id,
            is_done: record.is_done(),
        });
        let stamps = [record.stamp.as_ref(), record.previous_stamp.as_ref()];
        Self::new(entry, record.date_created.as_ref(), stamps)
    }
}

/// Returns the status of a create: 201 for a new record, 200 for an existing one.
pub(super) fn created_status(is_new: bool) -> StatusCode {
    if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    }
}

/// The response to a removal: `X-Server-Time` is the time of the change, `X-Previous-Update` the time of the previous
/// change.
pub(super) fn removed([stamp, previous_stamp]: [Option<&Timestamp>; 2]) -> Response {
    let mut response = done();
    for (name, at) in [
        ("x-server-time", stamp),
        ("x-previous-update", previous_stamp),
    ] {
        if let Some(at) = time::text(at)
            && let Ok(at) = HeaderValue::from_str(&at)
        {
            response.headers_mut().insert(name, at);
        }
    }
    response
}

/// Query parameters of a reader's list, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct SavedListParams {
    /// Matches the target's name.
    keywords: Option<String>,
    /// `date_created` or `name`; a leading `-` sorts in descending order.
    #[param(pattern = "^(-?(date_created|name))?$")]
    ordering: Option<String>,
}

/// Errors of a list or a map, except 429.
#[derive(IntoResponses)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) enum ReadErrors {
    #[response(status = 401)]
    SignedOut(ErrorBody),
    #[response(status = 503)]
    Unavailable(ErrorBody),
}

/// Errors of a change, except 429.
#[derive(IntoResponses)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) enum ChangeErrors {
    #[response(status = 400)]
    Invalid(ErrorBody),
    #[response(status = 401)]
    SignedOut(ErrorBody),
    #[response(status = 403)]
    Forbidden(ErrorBody),
    #[response(status = 404)]
    Absent(ErrorBody),
    #[response(status = 413)]
    TooLarge(ErrorBody),
    #[response(status = 415)]
    OtherType(ErrorBody),
    #[response(status = 503)]
    Unavailable(ErrorBody),
}

/// Errors of a create, except 429.
#[derive(IntoResponses)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) enum CreateErrors {
    #[response(status = 400)]
    Invalid(ErrorBody),
    #[response(status = 401)]
    SignedOut(ErrorBody),
    #[response(status = 403)]
    Forbidden(ErrorBody),
    #[response(status = 413)]
    TooLarge(ErrorBody),
    #[response(status = 415)]
    OtherType(ErrorBody),
    #[response(status = 503)]
    Unavailable(ErrorBody),
}

/// Errors of a removal, except 429.
#[derive(IntoResponses)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) enum DeleteErrors {
    #[response(status = 401)]
    SignedOut(ErrorBody),
    #[response(status = 403)]
    Forbidden(ErrorBody),
    #[response(status = 404)]
    Absent(ErrorBody),
    #[response(status = 503)]
    Unavailable(ErrorBody),
}
