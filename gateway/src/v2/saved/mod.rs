//! Readers' saved things, by one mechanism: a kind has a file of its own with the shapes and the
//! documentation of its calls, and hands the work to the functions of `bookmarks.rs`.

mod answers;
mod article_bookmarks;
mod bodies;
mod bookmarks;
mod event_bookmarks;
mod favourites;
mod items;
pub(super) mod last_updates;
mod places;
mod todos;
mod video_bookmarks;

use chassis::saved::Kind;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::state::AppState;

/// The kinds that have calls; a login's intent can be about these.
pub(super) const KINDS: &[Kind] = &[
    Kind::ArticleBookmarks,
    Kind::EventBookmarks,
    Kind::Favourites,
    Kind::Todos,
    Kind::VideoBookmarks,
];

/// The calls of all kinds that are not limited.
pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(favourites::listing_ids))
        .routes(routes!(todos::listing_ids))
        .routes(routes!(article_bookmarks::article_ids))
        .routes(routes!(event_bookmarks::event_ids))
        .routes(routes!(video_bookmarks::video_ids))
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
}
