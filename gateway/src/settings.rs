//! Settings of the gateway.

use std::{net::SocketAddr, path::PathBuf};

use chassis::{limits::Rate, network::Network};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[http]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpSettings {
    /// Public address: `127.0.0.1:8080`.
    pub listen: SocketAddr,
    /// Address of probes and metrics, which must not be publicly reachable.
    pub internal_listen: SocketAddr,
    /// Seconds after which an unfinished request is answered with 503.
    pub request_timeout_seconds: u64,
    /// Maximum number of open connections at each of the two addresses; further clients wait.
    pub max_connections: usize,
    /// Maximum number of open connections of one client at the public address; further ones are closed. A client is an
    /// IPv4 address or a 64-bit IPv6 network. Trusted proxies are not limited.
    pub max_connections_per_client: usize,
    /// Seconds that an idle connection waits for the next request. Must be longer than the idle timeout of a proxy in
    /// front of the gateway.
    pub idle_timeout_seconds: u64,
    /// Seconds that a client may take to send a request's head.
    pub head_timeout_seconds: u64,
    /// Seconds after which a connection is closed if the client reads none of its response.
    pub write_timeout_seconds: u64,
    /// Maximum number of concurrent uploads per gateway; further uploads receive a 503.
    pub max_uploads: usize,
    /// Seconds after which an unfinished upload is answered with 503. 25 MiB at half a megabit per second take seven
    /// minutes.
    pub upload_timeout_seconds: u64,
    /// Seconds without data after which an upload receives a 408.
    pub upload_stall_seconds: u64,
    /// Maximum number of open update streams per gateway; further streams receive a 429.
    pub max_streams: usize,
    /// Networks of your own proxies in front of the gateway. Only entries of these proxies in `X-Forwarded-For` are
    /// trusted.
    pub trusted_proxies: Vec<Network>,
}

/// `[public_cache]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PublicCacheSettings {
    /// Maximum bytes of cached public responses per gateway.
    pub max_bytes: u64,
    /// Maximum bytes of cached pictures per gateway.
    pub max_picture_bytes: u64,
    /// Maximum bytes of cached names for suggestions per gateway, about 100 for each searchable object. With 0, or if
    /// all names do not fit, the gateway calls the editorial service for each suggestion. A gateway in the same process
    /// as the editorial service caches no names.
    pub max_name_bytes: u64,
}

/// `[limits]` of the settings: token buckets. `10/min` allows ten calls immediately and another one every six seconds.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    /// Sign-ins of one client address.
    pub sign_in: Rate,
    /// Failed sign-ins to one account from one client address.
    pub failed_sign_in: Rate,
    /// Failed sign-ins to one account from all addresses. Devices that have signed in to the account before are exempt.
    pub failed_sign_in_everywhere: Rate,
    /// Failed sign-ins of all clients to all accounts. Above this limit, sign-ins from devices unknown to the account
    /// are delayed by two seconds, not refused.
    pub failed_sign_in_overall: Rate,
    /// New accounts of one client address.
    pub registration: Rate,
    /// Messages to the site from one client address.
    pub contact: Rate,
    /// Contest entries from one client address, each of which is confirmed by mail.
    pub entries: Rate,
    /// Newsletter requests of guests at one client address.
    pub guest_newsletters: Rate,
    /// Emails with a link (to reset a password or confirm an address) requested by one client address or one account.
    pub mailed_links: Rate,
    /// Exports of one account's data.
    pub exports: Rate,
    /// Pictures uploaded by one account.
    pub uploads: Rate,
    /// Files of places saved elsewhere, uploaded by one account.
    pub takeouts: Rate,
    /// Slots for which pages of one client address requested ads. Each gateway counts separately.
    pub ads: Rate,
    /// Ad events and ad clicks of one client address.
    pub ad_events: Rate,
    /// Impressions of one line item that are charged for one client address. Above this limit, impressions are recorded
    /// as invalid, not refused.
    pub ad_impressions: Rate,
    /// Reports of pages' own measurements (speed, errors, views) from one client address. Each gateway counts
    /// separately.
    pub telemetry: Rate,
    /// Other writes of one account, or of one client address without an account.
    pub writes: Rate,
    /// Searches computed for one client address because they are not cached. Each gateway counts separately.
    pub searches: Rate,
    /// Other responses to `GET` that are not cached, of one account, or of one client address without an account. Each
    /// gateway counts separately.
    pub reads: Rate,
}

/// `[site]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SiteSettings {
    /// The public address of the site without a path: `https://guide.example`. Writes from other origins are rejected;
    /// with http, cookies are set without `Secure`.
    pub url: String,
    /// File with the site's own settings: name, city, sections, menus.
    pub file: PathBuf,
}

/// `[web]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebSettings {
    /// Folder of the built web application, with its `index.html`.
    pub root: PathBuf,
}
