//! The sections of the settings that the gateway reads.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use chassis::{
    error::{Code, Fault},
    limits::Rate,
};
use http::Uri;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edge::client_address::Network;

/// `[http]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpSettings {
    /// The public address: `127.0.0.1:8080`.
    pub listen: SocketAddr,
    /// The address of probes and metrics, which the public must not reach.
    pub internal_listen: SocketAddr,
    /// Seconds a call may take before it is answered 503.
    pub request_timeout_seconds: u64,
    /// Connections that are open at a time, at each of the two addresses; further clients wait.
    pub max_connections: usize,
    /// Seconds that a client may take for the head of a request, and that a kept connection waits for the next one.
    /// Longer than a proxy before the gateway keeps its own connections.
    pub idle_timeout_seconds: u64,
    /// Seconds after which a client that reads none of its response is let go.
    pub write_timeout_seconds: u64,
    /// Update streams of readers that each gateway has open at a time; one more is answered 429.
    pub max_streams: usize,
    /// Proxies of ours before the gateway, as networks. Only their entries in `X-Forwarded-For` are trusted.
    pub trusted_proxies: Vec<Network>,
}

/// `[public_cache]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublicCacheSettings {
    /// Bytes of public answers that each gateway keeps.
    pub max_bytes: u64,
}

/// `[limits]` of the settings: token buckets. `10/min` is ten at once, and one more every six seconds.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    /// Sign-ins of one client address.
    pub sign_in: Rate,
    /// Failed sign-ins to one account from one client address.
    pub failed_sign_in: Rate,
    /// Failed sign-ins to one account from everywhere; devices that have signed in to it before pass.
    pub failed_sign_in_everywhere: Rate,
    /// Failed sign-ins of all clients to all accounts. Beyond it nobody is refused: a sign-in from a device that the
    /// account does not know takes two seconds longer.
    pub failed_sign_in_overall: Rate,
    /// New accounts of one client address.
    pub registration: Rate,
    /// Messages to the site of one client address.
    pub contact: Rate,
    /// Other writes of one account, or of one client address without one.
    pub writes: Rate,
    /// Public answers that a gateway has to compute for one client address, because it does not keep them. Each gateway
    /// counts for itself.
    pub reads: Rate,
}

/// `[site]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SiteSettings {
    /// The address readers see, without a path: `https://guide.example`. Writes from other origins
    /// are refused; with http, cookies go without `Secure`.
    pub url: String,
    /// The file of the site's own settings: name, city, sections, menus.
    pub file: PathBuf,
}

/// `[web]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebSettings {
    /// The folder of the built web application, with its `index.html`.
    pub root: PathBuf,
}

/// The site's own origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    text: Arc<str>,
    is_https: bool,
}

impl Origin {
    pub(crate) fn parse(url: &str) -> Result<Self, Fault> {
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
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The host alone, without a port.
    pub(crate) fn host(&self) -> &str {
        let authority = self.text.split_once("//").map_or("", |(_, rest)| rest);
        // An IPv6 address, with its colons, is in brackets.
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        }
    }

    /// Whether cookies are `Secure`.
    pub(crate) fn is_https(&self) -> bool {
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
