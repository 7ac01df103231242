//! Readers' saved things, by one mechanism: a kind has a file of its own with the shapes and the
//! documentation of its calls, and hands the work to the functions of `bookmarks.rs`; votes go to the service of
//! places.

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

/// The calls of all kinds that are not limited.
pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(favourites::listing_ids))
        .routes(routes!(todos::listing_ids))
        .routes(routes!(article_bookmarks::article_ids))
        .routes(routes!(event_bookmarks::event_ids))
        .routes(routes!(video_bookmarks::video_ids))
        .routes(routes!(ratings::listing_ids))
}

/// The limited calls of all kinds, and those that share a path with one.
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
