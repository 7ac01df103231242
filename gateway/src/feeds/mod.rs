//! Machine-readable pages of the site: `robots.txt`, sitemaps for search engines, and RSS. They are made of
//! the services' answers, cached as public answers are, and leave out texts that are age-restricted.

mod articles;
mod robots;
mod rss;
mod sitemaps;

use axum::{Router, routing::get};

use crate::state::AppState;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/robots.txt", get(robots::robots))
        .route(sitemaps::INDEX, get(sitemaps::index))
        .route("/sitemaps/{file}", get(sitemaps::sitemap))
        .route("/rss.xml", get(rss::everything))
        .route("/{section}/rss.xml", get(rss::section))
}
