//! GET `profiles/me/dashboard/`: numbers of saved objects.

use axum::{extract::State, response::Response};
use bookmarks_proto::v1::GetCountsRequest;
use cityguide_proto::saved::v1::GetStampsRequest;
use http::StatusCode;
use photos_proto::v1::CountOwnPhotosRequest;
use serde::Serialize;
use utoipa::ToSchema;
use vocabulary::saved::Kind;

use crate::{
    edge::{
        answer::personal,
        error::{ApiError, ErrorBody},
        limits::TooMany,
        session::Reader,
    },
    state::AppState,
};

/// Numbers of saved objects of each kind and of own photos.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DashboardCounts {
    favourites: i64,
    todos: i64,
    /// Number of completed to-dos.
    todos_completed: i64,
    article_bookmarks: i64,
    event_bookmarks: i64,
    video_bookmarks: i64,
    ratings: i64,
    /// Photos with any status.
    photos: i64,
}

/// Numbers of the reader's saved objects and own photos.
#[utoipa::path(get, path = "/api/v2/profiles/me/dashboard/", tag = "profiles",
    responses((status = 200, body = DashboardCounts), (status = 401, body = ErrorBody),
        TooMany, (status = 503, body = ErrorBody)))]
pub(crate) async fn dashboard(
    State(state): State<AppState>,
    reader: Reader,
) -> Result<Response, ApiError> {
    let call = reader.call;
    let (mut bookmarks, mut ratings) = (state.services.bookmarks(), state.services.ratings());
    let mut photos = state.services.photos();
    let (counted, rated, uploaded) = tokio::try_join!(
        bookmarks.get_counts(call.request(GetCountsRequest {})),
        ratings.get_stamps(call.request(GetStampsRequest {})),
        photos.count_own_photos(call.request(CountOwnPhotosRequest {})),
    )?;
    let (counted, rated) = (counted.into_inner(), rated.into_inner());
    let count = |kind: Kind| counted.saved.get(kind.name()).copied().unwrap_or(0);
    Ok(personal(
        StatusCode::OK,
        &DashboardCounts {
            favourites: count(Kind::Favourites),
            todos: count(Kind::Todos),
            todos_completed: counted.todos_done,
            article_bookmarks: count(Kind::ArticleBookmarks),
            event_bookmarks: count(Kind::EventBookmarks),
            video_bookmarks: count(Kind::VideoBookmarks),
            ratings: rated.stamps.iter().map(|stamp| stamp.count).sum(),
            photos: uploaded.into_inner().count,
        },
    ))
}
