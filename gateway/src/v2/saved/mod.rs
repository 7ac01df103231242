//! Readers' saved objects. Each kind has a file with the schemas and documentation of its calls, which delegate to
//! `bookmarks.rs`. Votes are stored in the places service.

mod answers;
mod article_bookmarks;
mod bodies;
mod bookmarks;
mod event_bookmarks;
mod favourites;
mod items;
pub(super) mod last_updates;
mod places;
pub(super) mod ratings;
mod todos;
mod video_bookmarks;

use utoipa_axum::{router::OpenApiRouter, routes};

use crate::state::AppState;

/// Calls without rate limits, for all kinds.
pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(favourites::listing_ids))
        .routes(routes!(todos::listing_ids))
        .routes(routes!(article_bookmarks::article_ids))
        .routes(routes!(event_bookmarks::event_ids))
        .routes(routes!(video_bookmarks::video_ids))
        .routes(routes!(ratings::listing_ids))
}

/// Rate-limited calls for all kinds, and calls with the same paths.
pub(super) fn limited_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(favourites::list, favourites::create))
        .routes(routes!(favourites::delete))
        .routes(routes!(todos::list, todos::create))
        .routes(routes!(todos::update, todos::delete))
        .routes(routes!(article_bookmarks::list, article_bookmarks::create))
        .routes(routes!(article_bookmarks::delete))
        .routes(routes!(event_bookmarks::list, event_bookmarks::create))
        .routes(routes!(event_bookmarks::delete))
        .routes(routes!(video_bookmarks::list, video_bookmarks::create))
        .routes(routes!(video_bookmarks::delete))
        .routes(routes!(ratings::list, ratings::create))
        .routes(routes!(ratings::get, ratings::update, ratings::delete))
}
