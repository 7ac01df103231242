//! `robots.txt` (RFC 9309): paths that crawlers must skip, and the sitemap index.

use std::sync::Arc;

use axum::{extract::State, response::Response};

use super::{
    site_text,
    sitemaps::{self, Sitemap},
};
use crate::{
    catalogue::Catalogue,
    edge::{error::ApiError, public::PublicRequest},
};

const PATH: &str = "/robots.txt";

/// Personal pages. The rest of the API is allowed, because crawlers that run scripts need it.
const PERSONAL: [&str; 3] = ["/accounts/", "/profiles/", "/api/v2/profiles/"];

/// GET `/robots.txt`.
pub(super) async fn robots(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    site_text::serve(
        &catalogue,
        &request,
        PATH,
        "text/plain; charset=utf-8",
        text,
    )
    .await
}

fn text(catalogue: &Catalogue) -> String {
    let origin = catalogue.origin.as_str();
    let mut lines = vec!["User-agent: *".to_owned()];
    lines.extend(PERSONAL.map(|path| format!("Disallow: {path}")));
    lines.push(String::new());
    lines.push(format!("Sitemap: {origin}{}", sitemaps::INDEX));
    if catalogue.site.has("articles") {
        lines.push(format!("Sitemap: {origin}{}", Sitemap::News.path()));
    }
    lines.push(String::new());
    lines.join("\n")
}
