//! Signs reports of bounces and complaints like a site's own program.

use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Returns the `X-Cityguide-Signature` of a body.
///
/// # Panics
/// Never: a key may have any length.
#[must_use]
pub fn signature(secret: &str, at: DateTime<Utc>, body: &str) -> String {
    let at = at.timestamp();
    let mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes());
    let mut mac = mac.unwrap_or_else(|error| panic!("a key: {error}"));
    mac.update(format!("{at}.{body}").as_bytes());
    let tag = chassis::digest::text(&mac.finalize().into_bytes());
    format!("t={at},v1={tag}")
}
