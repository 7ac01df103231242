//! The site's own address.

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
    /// Reads `site.url`, the address that readers see. [`Code::Invalid`] if it is no http(s) address, or has a path.
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

    /// The origin in the form that browsers send in `Origin`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host alone, without a port.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = self.text.split_once("//").map_or("", |(_, rest)| rest);
        // An IPv6 address, with its colons, is in brackets.
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        }
    }

    /// The domain that passkeys of this site are bound to. `None` where browsers offer none: on addresses of numbers,
    /// and on sites in clear other than this machine's own (Web Authentication, level 3, 5.1.3; Secure Contexts, 3.1).
    #[must_use]
    pub fn passkey_domain(&self) -> Option<&str> {
        let host = self.host();
        let is_number = host.starts_with('[') || host.parse::<IpAddr>().is_ok();
        let is_here = host == "localhost" || host.ends_with(".localhost");
        (!is_number && (self.is_https || is_here)).then_some(host)
    }

    /// Whether cookies are `Secure`.
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
