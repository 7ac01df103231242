//! The sections of the settings that the gateway reads.

use std::{net::SocketAddr, path::PathBuf};

use chassis::{limits::Rate, network::Network};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// Pictures and other files that each gateway receives at a time; one more is answered 503.
    pub max_uploads: usize,
    /// Seconds that an upload may bring no bytes before it is answered 408.
    pub upload_stall_seconds: u64,
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
    /// Bytes of pictures that each gateway keeps in memory.
    pub max_picture_bytes: u64,
    /// Bytes of names that each gateway holds for suggestions, about 100 for each thing that can be found. If all of them take
    /// more, or with 0, editorial is asked for each suggestion. A gateway in one process with editorial holds none.
    pub max_name_bytes: u64,
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
    /// Newsletters that guests ask for at one client address.
    pub guest_newsletters: Rate,
    /// Mails with a link, to reset a password or to confirm an address, that one client address asks for, or one
    /// account.
    pub mailed_links: Rate,
    /// Exports of all that is stored of one account.
    pub exports: Rate,
    /// Pictures that one account uploads.
    pub uploads: Rate,
    /// Files of places saved elsewhere that one account has looked up in the guide.
    pub takeouts: Rate,
    /// Calls with events of ads, and clicks on them, of one client address.
    pub ad_events: Rate,
    /// Other writes of one account, or of one client address without one.
    pub writes: Rate,
    /// Searches that a gateway has to compute for one client address, because it does not keep their answers. Each
    /// gateway counts for itself.
    pub searches: Rate,
    /// Other public answers that a gateway has to compute for one client address, because it does not keep them. Each gateway
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
