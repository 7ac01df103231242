//! The site's origin.

use std::{net::IpAddr, sync::Arc};

use http::Uri;

use crate::error::{Code, Fault};

/// The site's own origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    text: Arc<str>,
    is_https: bool,
}

impl Origin {
    /// Parses `site.url`, the public address of the site. [`Code::Invalid`] if it is not an http(s) address or has a
    /// path.
    pub fn parse(url: &str) -> Result<Self, Fault> {
        let refuse = || {
            let message = format!(
                "settings: site.url {url:?} must be an http(s) address without a path, as https://guide.example"
            );
            Fault::new(Code::Invalid, message)
        };
        let uri: Uri = url.parse().map_err(|_| refuse())?;
        let (scheme, authority) = uri.scheme_str().zip(uri.authority()).ok_or_else(refuse)?;
        if !matches!(scheme, "http" | "https") || uri.path() != "/" || uri.query().is_some() {
            return Err(refuse());
        }
        Ok(Self {
            text: format!("{scheme}://{authority}").to_lowercase().into(),
            is_https: scheme == "https",
        })
    }

    /// The origin as browsers send it in the `Origin` header.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host without the port.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = self.text.split_once("//").map_or("", |(_, rest)| rest);
        // An IPv6 address is in brackets, because it contains colons.
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        }
    }

    /// The domain that passkeys of this site are bound to. `None` if browsers do not offer passkeys: for IP addresses,
    /// and for plain-http sites other than localhost (Web Authentication Level 3, section 5.1.3; Secure Contexts,
    /// section 3.1).
    #[must_use]
    pub fn passkey_domain(&self) -> Option<&str> {
        let host = self.host();
        let is_number = host.starts_with('[') || host.parse::<IpAddr>().is_ok();
        let is_here = host == "localhost" || host.ends_with(".localhost");
        (!is_number && (self.is_https || is_here)).then_some(host)
    }

    /// Whether the site uses https, so that cookies are `Secure`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.is_https
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_one_origin() {
        assert_eq!(
            Origin::parse("https://Guide.example/")
                .expect("valid")
                .as_str(),
            "https://guide.example"
        );
        for (url, host) in [
            ("https://guide.example", "guide.example"),
            ("http://127.0.0.1:8080", "127.0.0.1"),
            ("http://[::1]:8080", "[::1]"),
            ("http://[::1]", "[::1]"),
        ] {
            assert_eq!(Origin::parse(url).expect("valid").host(), host);
        }
        for (url, domain) in [
            ("https://guide.example", Some("guide.example")),
            ("http://localhost:8080", Some("localhost")),
            ("http://guide.localhost", Some("guide.localhost")),
            ("http://guide.example", None),
            ("http://127.0.0.1:8080", None),
            ("https://203.0.113.7", None),
            ("https://[::1]", None),
        ] {
            let origin = Origin::parse(url).expect("valid");
            assert_eq!(origin.passkey_domain(), domain, "{url}");
        }
        for url in [
            "",
            "guide.example",
            "ftp://x",
            "https://x/path",
            "https://x/?q",
            "javascript:x",
        ] {
            assert!(Origin::parse(url).is_err(), "{url}");
        }
    }
}
