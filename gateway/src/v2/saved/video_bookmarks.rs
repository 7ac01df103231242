//! `video-bookmarks/`: videos saved by a reader.

use axum::{extract::State, response::Response};
use serde::Serialize;
use utoipa::ToSchema;
use vocabulary::saved::Kind;

use super::{
    answers::{
        CreateErrors, DeleteErrors, Entry, Kept, ReadErrors, SavedListParams, SavedMap, SavedRecord,
    },
    bodies::NewVideo,
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
    v2::{items::videos::Video, time},
};

const KIND: Kind = Kind::VideoBookmarks;
const PATH: &str = "/api/v2/video-bookmarks/";

/// A saved video.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VideoBookmark {
    id: i64,
    /// The video's id.
    object_id: i64,
    video: Kept<Video>,
    /// False if the video is no longer published. The record can still be removed.
    is_available: bool,
    #[schema(format = DateTime)]
    date_created: Option<String>,
}

/// An entry of the map.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct VideoBookmarkMapEntry {
    id: i64,
    object_id: i64,
}

fn entry(entry: Entry) -> VideoBookmarkMapEntry {
    VideoBookmarkMapEntry {
        id: entry.id,
        object_id: entry.target_id,
    }
}

/// The reader's saved videos, by default most recently saved first.
#[utoipa::path(get, path = "/api/v2/video-bookmarks/", operation_id = "list_video_bookmarks", tag = "saved",
    params(SavedListParams, PageParams),
    responses((status = 200, body = Page<VideoBookmark>), (status = 400, body = ErrorBody), ReadErrors, TooMany))]
pub(crate) async fn list(
    State(state): State<AppState>,
    reader: Reader,
    params: Params,
) -> Result<Response, ApiError> {
    let listed = bookmarks::list(&state, &reader, KIND, &params, None).await?;
    let videos = items::find(&state, &reader, &listed.bookmarks).await?;
    Ok(
        listed.answer(PATH, &params, videos, |one, video| VideoBookmark {
            id: one.id,
            object_id: one.target_id,
            is_available: video.is_available(),
            video,
            date_created: time::text(one.date_created.as_ref()),
        }),
    )
}

/// The complete map from video ids to records.
#[utoipa::path(get, path = "/api/v2/video-bookmarks/video_ids/", operation_id = "map_video_bookmarks", tag = "saved",
    responses((status = 200, body = SavedMap<VideoBookmarkMapEntry>), ReadErrors, TooMany))]
pub(crate) async fn video_ids(
    State(clients): State<Clients>,
    reader: Reader,
) -> Result<Response, ApiError> {
    bookmarks::map(&clients, &reader, KIND, entry).await
}

/// Saves a video: 201 for a new record, 200 for an existing one.
#[utoipa::path(post, path = "/api/v2/video-bookmarks/", operation_id = "create_video_bookmark", tag = "saved",
    request_body = NewVideo,
    responses((status = 201, body = SavedRecord<VideoBookmarkMapEntry>),
        (status = 200, body = SavedRecord<VideoBookmarkMapEntry>), CreateErrors, TooMany))]
pub(crate) async fn create(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Body(body): Body<NewVideo>,
) -> Result<Response, ApiError> {
    bookmarks::create(&clients, &reader, KIND, body.id()?, entry).await
}

/// Removes a saved video by its record id. `X-Server-Time` is the time of the change, `X-Previous-Update` the time of
/// the previous change.
#[utoipa::path(delete, path = "/api/v2/video-bookmarks/{id}/", operation_id = "delete_video_bookmark", tag = "saved",
    params(("id" = i64, Path)), responses((status = 204), DeleteErrors, TooMany))]
pub(crate) async fn delete(
    State(clients): State<Clients>,
    Writer(reader): Writer,
    Id(id): Id,
) -> Result<Response, ApiError> {
    bookmarks::delete(&clients, &reader, KIND, id).await
}
