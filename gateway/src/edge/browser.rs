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

/// A kind of flow. Each has its own cookie: a page offers a passkey while the reader may already be on the way to
/// Facebook, and of two new secrets in one cookie the second would replace the first.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Flow {
    Passkey,
    Facebook,
}

impl Flow {
    fn cookie_name(self, site: &Origin) -> &'static str {
        match (self, site.is_https()) {
            (Self::Passkey, true) => "__Host-passkey-browser",
            (Self::Passkey, false) => "passkey-browser",
            (Self::Facebook, true) => "__Host-facebook-browser",
            (Self::Facebook, false) => "facebook-browser",
        }
    }
}

/// Returns the browser's secret, or an empty string if it has none.
pub(crate) fn secret(flow: Flow, headers: &HeaderMap, site: &Origin) -> String {
    let name = flow.cookie_name(site);
    let mut cookies = cookies(headers).filter(|cookie| cookie.name() == name);
    let found = cookies.find(|cookie| cookie.value().len() == LENGTH);
    found.map_or_else(String::new, |cookie| cookie.value().to_owned())
}

/// Returns the browser's secret or a new one. The response must [`set`] it.
pub(crate) fn secret_or_new(
    flow: Flow,
    headers: &HeaderMap,
    site: &Origin,
    entropy: &dyn Entropy,
) -> String {
    let known = secret(flow, headers, site);
    if known.is_empty() {
        secret_token(entropy)
    } else {
        known
    }
}

/// Sets the cookie with the browser's secret.
pub(crate) fn set(flow: Flow, response: &mut Response, site: &Origin, secret: &str) {
    let cookie = base_cookie(site, flow.cookie_name(site), secret);
    put(response, cookie.http_only(true).max_age(LIFETIME));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chassis::entropy::OsEntropy;
    use http::header::{COOKIE, SET_COOKIE};

    use super::*;

    #[test]
    fn flows_that_begin_together_in_a_new_browser_keep_their_secrets() {
        for site in ["http://localhost", "https://guide.example"] {
            let site = Origin::parse(site).expect("an origin");
            let (mut jar, mut begun) = (BTreeMap::new(), Vec::new());
            for flow in [Flow::Facebook, Flow::Passkey] {
                // Neither request has the other's cookie.
                let secret = secret_or_new(flow, &HeaderMap::new(), &site, &OsEntropy);
                let mut response = Response::default();
                set(flow, &mut response, &site, &secret);
                let cookie = response.headers()[SET_COOKIE].to_str().expect("text");
                let (name, value) = cookie.split_once('=').expect("a cookie");
                let value = value.split(';').next().unwrap_or_default();
                jar.insert(name.to_owned(), value.to_owned());
                begun.push((flow, secret));
            }
            let cookies = jar.iter().map(|(name, value)| format!("{name}={value}"));
            let cookies = cookies.collect::<Vec<_>>().join("; ");
            let headers = HeaderMap::from_iter([(COOKIE, cookies.parse().expect("a header"))]);
            for (flow, expected) in begun {
                assert_eq!(secret(flow, &headers, &site), expected, "{flow:?}");
            }
        }
    }
}
