//! A short-lived browser secret in a cookie that scripts cannot read. It ensures that a flow is finished in the browser
//! that started it.

use axum::response::Response;
use chassis::{
    entropy::{Entropy, secret_token},
    origin::Origin,
};
use cookie::time::Duration;
use http::HeaderMap;

use super::session::{base_cookie, cookies, put};

/// Maximum duration of a flow, for example a Facebook log-in.
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

/// Returns the browser's secret, or an empty string if it has none.
pub(crate) fn secret(headers: &HeaderMap, site: &Origin) -> String {
    let name = cookie_name(site);
    let mut cookies = cookies(headers).filter(|cookie| cookie.name() == name);
    let found = cookies.find(|cookie| cookie.value().len() == LENGTH);
    found.map_or_else(String::new, |cookie| cookie.value().to_owned())
}

/// Returns the browser's secret or a new one. The response must [`set`] it.
pub(crate) fn secret_or_new(headers: &HeaderMap, site: &Origin, entropy: &dyn Entropy) -> String {
    let known = secret(headers, site);
    if known.is_empty() {
        secret_token(entropy)
    } else {
        known
    }
}

/// Sets the cookie with the browser's secret.
pub(crate) fn set(response: &mut Response, site: &Origin, secret: &str) {
    let cookie = base_cookie(site, cookie_name(site), secret);
    put(response, cookie.http_only(true).max_age(LIFETIME));
}
