//! Security headers of every answer.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use chassis::origin::Origin;
use http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{
        CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    },
};

use crate::{map::MapSettings, site::Site};

/// The Content-Security-Policy of pages: they load our own files only, of the kinds that they use. There are
/// no inline scripts or styles, so there are no hashes; the JSON in a page is data, which needs no
/// permission. Text becomes markup only by the application's trusted-types policy
/// (`web/src/lib/trusted-html.ts`); the default policy (`web/src/ui/map-policy.ts`) lets a map start its
/// worker, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; media-src 'self'; \
                      base-uri 'none'; frame-ancestors 'none'; form-action 'self'; \
                      require-trusted-types-for 'script'; trusted-types cityguide default";

/// Windows of other sites that open ours, or that ours opens, have no hold on it.
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Other sites' pages do not load our answers; public pictures say otherwise.
pub(crate) const RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

/// What no page of ours asks a browser for, and that our own alone may ask where the reader is, for searches.
const PERMISSIONS: &str =
    "camera=(), display-capture=(), geolocation=(self), microphone=(), payment=(), usb=()";

/// The security headers of a site.
#[derive(Debug, Clone)]
pub(crate) struct SecurityHeaders {
    policy: HeaderValue,
    is_https: bool,
}

impl SecurityHeaders {
    pub(crate) fn new(origin: &Origin, site: &Site) -> Self {
        let sources = site.map.as_ref().map(MapSettings::sources);
        Self {
            policy: policy(&sources.unwrap_or_default()),
            is_https: origin.is_https(),
        }
    }
}

/// The policy, widened by the origins that maps load their streets from.
fn policy(sources: &str) -> HeaderValue {
    const STRICT: HeaderValue = HeaderValue::from_static(POLICY);
    if sources.is_empty() {
        return STRICT;
    }
    let widened = POLICY
        .replace(
            "img-src 'self' data: blob:;",
            &format!("img-src 'self' data: blob: {sources};"),
        )
        .replace(
            "connect-src 'self';",
            &format!("connect-src 'self' {sources};"),
        );
    // Reading the site's file refuses origins that a header cannot hold.
    HeaderValue::try_from(widened).unwrap_or(STRICT)
}

/// Adds the headers, except those that a handler has set.
pub(crate) async fn add(
    State(site): State<SecurityHeaders>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    keep_or_set(headers, CONTENT_SECURITY_POLICY, site.policy);
    let mut set = |name, value| keep_or_set(headers, name, HeaderValue::from_static(value));
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(REFERRER_POLICY, "strict-origin-when-cross-origin");
    set(OPENER_POLICY, "same-origin");
    set(RESOURCE_POLICY, "same-origin");
    set(PERMISSIONS_POLICY, PERMISSIONS);
    if site.is_https {
        set(
            STRICT_TRANSPORT_SECURITY,
            "max-age=63072000; includeSubDomains",
        );
    }
    response
}

fn keep_or_set(headers: &mut HeaderMap, name: HeaderName, value: HeaderValue) {
    headers.entry(name).or_insert(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_of_another_site_may_load_its_streets_and_nothing_else() {
        assert_eq!(policy(""), POLICY);
        let wide = policy("https://maps.example https://tiles.example");
        let wide = wide.to_str().expect("text");
        for directive in [
            "img-src 'self' data: blob: https://maps.example https://tiles.example;",
            "connect-src 'self' https://maps.example https://tiles.example;",
        ] {
            assert!(wide.contains(directive), "{wide}");
        }
        let names = |text: &str| -> Vec<String> {
            let directives = text
                .split(';')
                .filter_map(|one| one.split_whitespace().next());
            directives.map(str::to_owned).collect()
        };
        assert_eq!(names(wide), names(POLICY));
    }
}
