//! Readers' saved things, by one mechanism: a kind has a file of its own with the shapes and the
//! documentation of its calls, and hands the work to the functions of `bookmarks.rs`.

mod answers;
mod bookmarks;
mod favourites;
pub(super) mod last_updates;
mod places;

use chassis::saved::Kind;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::state::AppState;

/// The kinds that have calls; a login's intent can be about these.
pub(super) const KINDS: &[Kind] = &[Kind::Favourites];

/// The calls of all kinds that are not limited.
pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(favourites::listing_ids))
}

/// The limited calls of all kinds, and those that share a path with one.
pub(super) fn limited_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(favourites::list, favourites::create))
        .routes(routes!(favourites::delete))
}
