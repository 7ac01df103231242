//! Headers that every answer carries.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::{
    HeaderMap, HeaderValue,
    header::{
        CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    },
};

use crate::settings::Origin;

/// What a page of ours may load: our own files, nothing inline.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      frame-ancestors 'none'; form-action 'self'";

/// Adds them, leaving what a handler has set.
pub(crate) async fn add(State(site): State<Origin>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name, value| keep_or_set(headers, name, value);
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "strict-origin-when-cross-origin");
    if site.is_https() {
        set(
            STRICT_TRANSPORT_SECURITY,
            "max-age=63072000; includeSubDomains",
        );
    }
    response
}

fn keep_or_set(headers: &mut HeaderMap, name: http::HeaderName, value: &'static str) {
    headers
        .entry(name)
        .or_insert(HeaderValue::from_static(value));
}
