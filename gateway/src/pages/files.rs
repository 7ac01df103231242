//! The files of the built application.

use std::path::Path;

use axum::{
    body::Body,
    extract::Request,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header::CACHE_CONTROL};
use tower::ServiceExt;
use tower_http::services::ServeDir;

use super::ASK_AGAIN;
use crate::edge::error::ApiError;

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The folder that they stand in. Beside a file may stand the same compressed (`.br`, `.gz`), as the build
/// makes them with all the effort there is: those are sent to whoever reads them.
#[derive(Debug, Clone)]
pub(super) struct Files(ServeDir);

impl Files {
    pub(super) fn below(root: &Path) -> Self {
        let files = ServeDir::new(root)
            .append_index_html_on_directories(false)
            .precompressed_br()
            .precompressed_gzip();
        Self(files)
    }

    pub(super) async fn serve(&self, path: &str, request: Request) -> Response {
        let Ok(answer) = self.0.clone().oneshot(request).await;
        let mut response = answer.map(Body::new);
        if response.status() == StatusCode::NOT_FOUND || path == "/index.html" {
            return ApiError::not_found().into_response();
        }
        // Vite names what it builds by content.
        let caching = if path.starts_with("/assets/") {
            FOR_EVER
        } else {
            ASK_AGAIN
        };
        response.headers_mut().insert(CACHE_CONTROL, caching);
        response
    }
}

/// Pages have no dot in their last word, files have.
pub(super) fn is_file(path: &str) -> bool {
    path.rsplit('/')
        .next()
        .is_some_and(|last| last.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_word_with_a_dot_is_a_file() {
        assert!(is_file("/assets/index-1.js") && is_file("/robots.txt"));
        assert!(!is_file("/") && !is_file("/restaurants/st.-lawrence/") && !is_file("/places"));
    }
}
