//! The site's web application manifest, with which browsers install it (W3C, Web Application Manifest).

use std::sync::Arc;

use axum::{extract::State, response::Response};
use serde_json::json;

use super::site_text;
use crate::{
    catalogue::Catalogue,
    edge::{error::ApiError, public::PublicRequest},
};

/// The path of the manifest, to which `web/index.html` links.
pub(super) const PATH: &str = "/site.webmanifest";
/// The background of pages before they are drawn: `--paper` in the light palette.
const PAPER: &str = "#fbf8f1";

/// GET `/site.webmanifest`.
pub(super) async fn web_manifest(
    State(catalogue): State<Arc<Catalogue>>,
    request: PublicRequest,
) -> Result<Response, ApiError> {
    site_text::serve(
        &catalogue,
        &request,
        PATH,
        "application/manifest+json",
        text,
    )
    .await
}

fn text(catalogue: &Catalogue) -> String {
    let site = &catalogue.site;
    let manifest = json!({
        "id": "/",
        "name": site.name,
        "short_name": site.name,
        "description": site.tagline,
        "lang": "en-CA",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [{"src": "/icon.svg", "sizes": "any", "type": "image/svg+xml"}],
        "shortcuts": site.has("listings").then(|| json!([{"name": "Tonight", "url": "/tonight/"}])),
    });
    manifest.to_string()
}
