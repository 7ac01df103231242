//! `photos/`: readers' photos of places.

mod delete;
mod list;
mod own;
mod photo;
mod report;
mod upload;

use axum::{extract::DefaultBodyLimit, middleware, routing::get};
use utoipa_axum::{router::OpenApiRouter, routes};

#[cfg(test)]
pub(super) use self::list::KNOWN;
pub(crate) use self::{
    list::{FirstPhotos, of_listing},
    photo::{Photo, detail_call},
};
use crate::{edge::limits, state::AppState};

/// Calls without rate limits.
pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(own::list))
        .route("/api/v2/photos/me/", get(own::list))
}

/// Rate-limited calls, and calls with the same paths.
pub(super) fn limited_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, upload::create))
        .routes(routes!(photo::detail, delete::delete))
        .routes(routes!(report::report))
        // Each call limits its own body.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn(limits::report))
}
