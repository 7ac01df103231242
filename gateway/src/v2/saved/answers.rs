//! Answers that all kinds of saved things share, and the errors of their calls in the OpenAPI document.

use cityguide_proto::bookmarks::v1::{BookmarkMap, CreateBookmarkResponse};
use serde::Serialize;
use utoipa::{IntoParams, IntoResponses, ToSchema};

use crate::{edge::error::ErrorBody, v2::time};

/// The whole map from target to record.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SavedMap<E> {
    results: Vec<E>,
    /// Every change up to this instant is in the map.
    #[schema(format = DateTime, required = true)]
    server_time: Option<String>,
}

impl<E> SavedMap<E> {
    /// The map as the API shows it; `entry` is the kind's, made of a record's id and its target's.
    pub(super) fn new(map: BookmarkMap, entry: impl Fn(i64, i64) -> E) -> Self {
        let entries = map.entries.into_iter();
        Self {
            server_time: time::text(map.as_of.as_ref()),
            results: entries.map(|one| entry(one.id, one.target_id)).collect(),
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
    /// The record as the API shows it; `entry` is the kind's, made of the record's id and its target's.
    pub(super) fn new(record: &CreateBookmarkResponse, entry: impl Fn(i64, i64) -> E) -> Self {
        Self {
            entry: entry(record.id, record.target_id),
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

/// The errors of a write that has a body, beside 429.
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
