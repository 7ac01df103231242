//! The secret that processes of one system share, and keys made of it, each for one purpose.

use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// A key for message authentication codes (HMAC-SHA-256).
#[derive(Clone)]
pub struct Key(Arc<[u8]>);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Key").finish_non_exhaustive()
    }
}

impl Key {
    /// The key of these bytes, 32 or more.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// The key for one purpose: it reveals neither this key nor those of other purposes.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> Self {
        Self::new(&self.tag(&[purpose]))
    }

    /// The code of a message in parts. The boundaries between the parts are signed too.
    #[must_use]
    pub fn tag(&self, parts: &[&str]) -> [u8; 32] {
        self.mac(parts).finalize().into_bytes().into()
    }

    /// Whether a code is that of the message, compared in constant time.
    #[must_use]
    pub fn is_tag_of(&self, tag: &[u8], parts: &[&str]) -> bool {
        self.mac(parts).verify_slice(tag).is_ok()
    }

    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    fn mac(&self, parts: &[&str]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key of any length");
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part.as_bytes());
        }
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_good_for_its_message_and_its_purpose_alone() {
        let key = Key::new(&[7; 32]);
        let devices = key.derive("devices");
        let tag = devices.tag(&["ab", "c"]);
        assert!(devices.is_tag_of(&tag, &["ab", "c"]));
        assert!(!devices.is_tag_of(&tag, &["a", "bc"]));
        assert!(!devices.is_tag_of(&tag[..31], &["ab", "c"]));
        assert!(!key.is_tag_of(&tag, &["ab", "c"]));
        assert!(!key.derive("limits").is_tag_of(&tag, &["ab", "c"]));
    }
}
