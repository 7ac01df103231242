//! Machine-readable resources: `robots.txt`, `security.txt`, `gpc.json`, the web manifest, sitemaps, RSS and readers'
//! calendar feeds. They are built from the site's file and service responses and omit age-restricted texts. All except
//! the calendar feeds are cached like public responses.

mod articles;
mod gpc;
mod robots;
mod rss;
mod saved_events;
mod security_txt;
mod site_text;
mod sitemaps;
mod web_manifest;

use axum::{Router, routing::get};

use crate::state::AppState;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/robots.txt", get(robots::robots))
        .route(gpc::PATH, get(gpc::gpc))
        .route(security_txt::PATH, get(security_txt::security_txt))
        .route(sitemaps::INDEX, get(sitemaps::index))
        .route(web_manifest::PATH, get(web_manifest::web_manifest))
        .route("/sitemaps/{file}", get(sitemaps::sitemap))
        .route(saved_events::PATH, get(saved_events::saved_events))
        .route("/rss.xml", get(rss::everything))
        .route("/{section}/rss.xml", get(rss::section))
}
