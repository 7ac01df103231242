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

use crate::edge::error::ApiError;

/// Browsers and shared caches must revalidate: a page refers to files that change with each release.
pub(super) const ASK_AGAIN: HeaderValue =
    HeaderValue::from_static("public, max-age=0, must-revalidate");
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The application's files. A file may have compressed variants (`.br`, `.gz`), made by the build at the highest level
/// and served to clients that accept them.
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
        // Vite includes a content hash in these names.
        let caching = if path.starts_with("/assets/") {
            FOR_EVER
        } else {
            ASK_AGAIN
        };
        response.headers_mut().insert(CACHE_CONTROL, caching);
        response
    }
}

/// Whether a path refers to a file: unlike page paths, its last segment contains a dot.
pub(super) fn is_file(path: &str) -> bool {
    path.rsplit('/')
        .next()
        .is_some_and(|last| last.contains('.'))
}

/// Page extensions of other systems, such as Blogger.
const FORMER_PAGES: [&str; 6] = ["asp", "aspx", "htm", "html", "jsp", "php"];

/// Whether a file path may be a page of another system.
pub(super) fn may_be_former_page(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| FORMER_PAGES.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_segment_with_a_dot_is_a_file() {
        assert!(is_file("/assets/index-1.js") && is_file("/robots.txt"));
        assert!(may_be_former_page("/2008/07/a-tram.html") && !may_be_former_page("/robots.txt"));
        assert!(!is_file("/") && !is_file("/restaurants/st.-lawrence/") && !is_file("/places"));
    }
}
