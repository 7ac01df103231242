//! A secret that a browser keeps for a while in a cookie which no script reads: what one request begins in a browser,
//! no other browser can end.

use axum::response::Response;
use chassis::{
    entropy::{Entropy, secret_token},
    origin::Origin,
};
use cookie::time::Duration;
use http::HeaderMap;

use super::session::{base_cookie, cookies, put};

/// The longest that what begins in a browser may take: a log-in at Facebook.
const LIFETIME: Duration = Duration::minutes(10);

/// The length of a secret in characters: 256 bits in base64.
const LENGTH: usize = 43;

fn cookie_name(site: &Origin) -> &'static str {
    if site.is_https() {
        "__Host-browser"
    } else {
        "browser"
    }
}

/// The browser's secret; empty if it has none.
pub(crate) fn secret(headers: &HeaderMap, site: &Origin) -> String {
    let name = cookie_name(site);
    let mut cookies = cookies(headers).filter(|cookie| cookie.name() == name);
    let found = cookies.find(|cookie| cookie.value().len() == LENGTH);
    found.map_or_else(String::new, |cookie| cookie.value().to_owned())
}

/// The browser's secret, or a new one: the answer is to [`set`] it.
pub(crate) fn secret_or_new(headers: &HeaderMap, site: &Origin, entropy: &dyn Entropy) -> String {
    let known = secret(headers, site);
    if known.is_empty() {
        secret_token(entropy)
    } else {
        known
    }
}

/// Has the browser keep its secret from now on.
pub(crate) fn set(response: &mut Response, site: &Origin, secret: &str) {
    let cookie = base_cookie(site, cookie_name(site), secret);
    put(response, cookie.http_only(true).max_age(LIFETIME));
}
