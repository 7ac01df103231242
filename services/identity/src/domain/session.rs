//! Sessions: an opaque secret in a cookie, of which only the digest is stored.

use chassis::digest;
use chrono::TimeDelta;
use sha2::{Digest, Sha256};

/// The lifetime of a session after its last activity (spec, section 9: session validity).
pub(crate) const IDLE: TimeDelta = TimeDelta::days(5);
/// The longest lifetime of a session after its beginning.
pub(crate) const CAP: TimeDelta = TimeDelta::days(90);
/// The interval at which activity is stored, so that not every read writes.
pub(crate) const TOUCH_AFTER: TimeDelta = TimeDelta::seconds(60);

/// The digest under which a cookie's value is stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SessionToken {
    digest: Vec<u8>,
}

impl SessionToken {
    pub(crate) fn new(secret: &str) -> Self {
        Self {
            digest: Sha256::digest(secret).to_vec(),
        }
    }

    pub(crate) fn digest(&self) -> &[u8] {
        &self.digest
    }

    /// The cache's key.
    pub(crate) fn key(&self) -> String {
        format!("session:{}", digest::hex(&self.digest, 32))
    }
}
