//! Answers that all kinds of saved things share, and the errors of their calls in the OpenAPI document.

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

/// A thing in a reader's list; if it has been unpublished, only its name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Kept<T> {
    /// A thing with the fields of lists.
    Published(Box<T>),
    /// A thing that has been unpublished.
    Unpublished { id: i64, name: String },
}

impl<T> Kept<T> {
    /// The thing with this id and name, if its owner shows it.
    pub(super) fn new(id: i64, name: String, thing: Option<T>) -> Self {
        match thing {
            Some(thing) => Self::Published(Box::new(thing)),
            None => Self::Unpublished { id, name },
        }
    }

    /// The target of a bookmark, if its owner shows it.
    pub(super) fn of_bookmark(bookmark: &Bookmark, target: Option<T>) -> Self {
        Self::new(bookmark.target_id, bookmark.target_name.clone(), target)
    }

    pub(super) fn is_available(&self) -> bool {
        matches!(self, Self::Published(_))
    }
}

/// What a kind's entry of the map is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) id: i64,
    pub(super) target_id: i64,
    /// False for kinds that are never done.
    pub(super) is_done: bool,
}

/// The whole map from target to record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SavedMap<E> {
    results: Vec<E>,
    /// Every change up to this instant is in the map.
    #[schema(format = DateTime, required = true)]
    server_time: Option<String>,
}

impl<E> SavedMap<E> {
    /// A map that holds every change up to an instant.
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

/// The record of a saved thing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SavedRecord<E> {
    /// As in the map.
    #[serde(flatten)]
    entry: E,
    #[schema(format = DateTime)]
    date_created: Option<String>,
    /// The instant of this reader's last change of the kind, this one included.
    #[schema(format = DateTime, required = true)]
    server_time: Option<String>,
    /// The change before it, null for the very first. A client whose map is older than this has missed
    /// another device's change.
    #[schema(format = DateTime, required = true)]
    previous_update: Option<String>,
}

impl<E> SavedRecord<E> {
    /// A record that was made at an instant, after a change with a stamp.
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

/// The status of a create: 201 for a new record, 200 for an existing one.
pub(super) fn created_status(is_new: bool) -> StatusCode {
    if is_new {
        StatusCode::CREATED
    } else {
        StatusCode::OK
    }
}

/// The answer to a removal: `X-Server-Time` is the instant of the change, `X-Previous-Update` that of the change before
/// it.
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

/// The query parameters of a reader's list, in the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(
    dead_code,
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct SavedListParams {
    /// Matched in the target's name.
    keywords: Option<String>,
    /// `date_created` or `name`; `-` descends.
    #[param(pattern = "^(-?(date_created|name))?$")]
    ordering: Option<String>,
}

/// The errors of a map.
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

/// The errors of a change of a record, beside 429.
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

/// The errors of a create, beside 429.
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

/// The errors of a removal, beside 429.
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
