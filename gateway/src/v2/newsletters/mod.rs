//! `newsletters/`, and the newsletter choices of readers and guests.

mod choosing;
mod confirm;
mod guest;
pub(crate) mod issues;
pub(crate) mod preferences;
mod settings;
mod webhooks;

use axum::middleware;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) use self::{
    choosing::{choice, origin, way},
    settings::{NewsletterChanges, NewsletterSettings, changes},
};
use crate::{edge::limits, state::AppState};

/// Calls without rate limits: unsubscriptions, which a mail provider may send for many readers; public issues; and
/// reports signed by mail providers.
pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(
            preferences::show_subscription,
            preferences::unsubscribe
        ))
        .routes(routes!(issues::list))
        .routes(routes!(issues::detail))
        .routes(routes!(webhooks::report))
}

/// Rate-limited calls, and calls with the same paths.
pub(super) fn limited_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(guest::subscribe))
        .routes(routes!(confirm::show, confirm::confirm))
        .routes(routes!(preferences::show, preferences::change))
        .layer(middleware::from_fn(limits::report))
}
