//! Machine-readable pages of the site: `robots.txt`, `security.txt`, `gpc.json`, sitemaps for search engines, RSS, and readers'
//! calendar feeds. They are made of the site's file and the services' answers, and leave out texts that are
//! age-restricted. All but the calendar feeds are cached as public answers are.

mod articles;
mod gpc;
mod robots;
mod rss;
mod saved_events;
mod security_txt;
mod sitemaps;

use axum::{Router, routing::get};

use crate::state::AppState;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/robots.txt", get(robots::robots))
        .route(gpc::PATH, get(gpc::gpc))
        .route(security_txt::PATH, get(security_txt::security_txt))
        .route(sitemaps::INDEX, get(sitemaps::index))
        .route("/sitemaps/{file}", get(sitemaps::sitemap))
        .route(saved_events::PATH, get(saved_events::saved_events))
        .route("/rss.xml", get(rss::everything))
        .route("/{section}/rss.xml", get(rss::section))
}
