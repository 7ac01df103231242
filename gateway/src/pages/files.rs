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

/// Browsers and shared caches revalidate each time: a page names files that change with a release.
pub(super) const ASK_AGAIN: HeaderValue =
    HeaderValue::from_static("public, max-age=0, must-revalidate");
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// The folder of the files. A file may have compressed variants (`.br`, `.gz`), which the build makes with
/// the most effort; clients that accept them get those.
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
        // Vite puts a hash of the content into these names.
        let caching = if path.starts_with("/assets/") {
            FOR_EVER
        } else {
            ASK_AGAIN
        };
        response.headers_mut().insert(CACHE_CONTROL, caching);
        response
    }
}

/// Whether a path names a file: its last segment has a dot, which paths of pages do not have.
pub(super) fn is_file(path: &str) -> bool {
    path.rsplit('/')
        .next()
        .is_some_and(|last| last.contains('.'))
}

/// Endings of the pages of other systems, such as Blogger's.
const FORMER_PAGES: [&str; 6] = ["asp", "aspx", "htm", "html", "jsp", "php"];

/// Whether the path of a file is that of a page of another system.
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
