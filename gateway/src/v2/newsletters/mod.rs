//! `newsletters/`, and what readers and guests choose of them.

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

/// Calls that no limit counts: a program that shows mail, or its provider for many readers at once, ends a subscription;
/// issues are public; and providers of mail sign what they report.
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

/// Calls that are limited, or share a path with one that is.
pub(super) fn limited_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(guest::subscribe))
        .routes(routes!(confirm::show, confirm::confirm))
        .routes(routes!(preferences::show, preferences::change))
        .layer(middleware::from_fn(limits::report))
}
