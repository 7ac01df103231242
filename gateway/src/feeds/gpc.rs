//! `gpc.json`: states that the site supports Global Privacy Control (<https://www.w3.org/TR/gpc/>, GPC Support
//! Resource).

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};

pub(super) const PATH: &str = "/.well-known/gpc.json";

/// The statement, with the date of its last change.
const STATEMENT: &str = r#"{"gpc":true,"lastUpdate":"2026-11-26"}"#;

/// GET `/.well-known/gpc.json`.
pub(super) async fn gpc() -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "public, max-age=86400"),
    ];
    (headers, STATEMENT).into_response()
}
