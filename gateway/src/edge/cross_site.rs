//! Responds 403 to unsafe methods from other sites, with or without a session.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use chassis::origin::Origin;
use http::{HeaderMap, HeaderValue, Method, header::ORIGIN};

use super::error::ApiError;

const ONE_CLICK: [&str; 2] = [
    "/api/v2/newsletters/unsubscribe/",
    "/newsletters/unsubscribe/",
];

/// Rejects unsafe requests from other sites' pages.
pub(crate) async fn refuse(State(site): State<Origin>, request: Request, next: Next) -> Response {
    let safe = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    let path = request.uri().path();
    if !safe && !is_one_click(path) && is_foreign(request.headers(), &site) {
        return ApiError::cross_site(site.as_str()).into_response();
    }
    next.run(request).await
}

/// Whether a path is a one-click unsubscription, which mail programs and webmail sites may request from anywhere (RFC
/// 8058). It is authorised by its token alone, so a cross-site request gains nothing from a reader's session.
fn is_one_click(path: &str) -> bool {
    ONE_CLICK.iter().any(|start| path.starts_with(start))
}

fn is_foreign(headers: &HeaderMap, site: &Origin) -> bool {
    let fetch_site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    if fetch_site == Some(b"cross-site") {
        return true;
    }
    headers.get_all(ORIGIN).iter().any(|origin| {
        !origin
            .as_bytes()
            .eq_ignore_ascii_case(site.as_str().as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foreign(pairs: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_static(value));
        }
        is_foreign(
            &headers,
            &Origin::parse("https://guide.example").expect("valid"),
        )
    }

    #[test]
    fn only_the_end_of_a_subscription_may_come_from_anywhere() {
        assert!(is_one_click("/newsletters/unsubscribe/t0ken/"));
        assert!(is_one_click("/api/v2/newsletters/unsubscribe/t0ken/"));
        for path in [
            "/api/v2/newsletters/preferences/t0ken/",
            "/newsletters/confirm/t0ken/",
            "/",
        ] {
            assert!(!is_one_click(path), "{path}");
        }
    }

    #[test]
    fn only_the_sites_own_pages_and_programs_may_write() {
        assert!(!foreign(&[]));
        assert!(!foreign(&[
            ("origin", "https://guide.example"),
            ("sec-fetch-site", "same-origin")
        ]));
        assert!(foreign(&[("sec-fetch-site", "cross-site")]));
        for origin in [
            "null",
            "https://evil.example",
            "http://guide.example",
            "https://guide.example.evil",
        ] {
            assert!(foreign(&[("origin", origin)]), "{origin}");
        }
    }
}
