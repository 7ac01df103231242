//! Answers that all kinds of saved things share, and the errors of their calls in the OpenAPI document.

use cityguide_proto::bookmarks::v1::{Bookmark, BookmarkMap, BookmarkRecord};
use serde::Serialize;
use utoipa::{IntoParams, IntoResponses, ToSchema};

use crate::{edge::error::ErrorBody, v2::time};

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
    /// The target of a bookmark, if its owner shows it.
    pub(super) fn new(bookmark: &Bookmark, target: Option<T>) -> Self {
        match target {
            Some(target) => Self::Published(Box::new(target)),
            None => Self::Unpublished {
                id: bookmark.target_id,
                name: bookmark.target_name.clone(),
            },
        }
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
    /// The map as the API shows it, with the kind's entries.
    pub(super) fn new(map: BookmarkMap, entry: fn(Entry) -> E) -> Self {
        let entries = map.entries.into_iter().map(|one| Entry {
            id: one.id,
            target_id: one.target_id,
            is_done: one.is_done(),
        });
        Self {
            server_time: time::text(map.as_of.as_ref()),
            results: entries.map(entry).collect(),
        }
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
    /// The record as the API shows it, with the kind's entry.
    pub(super) fn new(record: &BookmarkRecord, entry: fn(Entry) -> E) -> Self {
        Self {
            entry: entry(Entry {
                id: record.id,
                target_id: record.target_id,
                is_done: record.is_done(),
            }),
            date_created: time::text(record.date_created.as_ref()),
            server_time: time::text(record.stamp.as_ref()),
            previous_update: time::text(record.previous_stamp.as_ref()),
        }
    }
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
