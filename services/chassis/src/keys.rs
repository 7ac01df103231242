//! The secrets shared by the processes of a system, and keys derived from them for single purposes.

use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::{Code, Fault};

/// The minimum key length, in bytes: the length of an HMAC-SHA-256 tag (RFC 2104, section 3).
pub const SHORTEST_KEY: usize = 32;

/// Keys for message authentication codes (HMAC-SHA-256). The first key signs and all keys verify, so that a key can be
/// replaced while only some processes have the new one.
#[derive(Clone)]
pub struct Keys(Arc<[Box<[u8]>]>);

crate::opaque_debug!(Keys);

impl Keys {
    /// A set of one key.
    #[must_use]
    pub fn one(key: &[u8]) -> Self {
        Self([key.into()].into())
    }

    /// Parses keys, one per line. [`Code::Invalid`] if there is none, or if a key is shorter than [`SHORTEST_KEY`].
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let keys: Arc<[Box<[u8]>]> = text
            .lines()
            .filter(|line| !line.is_empty())
            .map(|line| line.as_bytes().into())
            .collect();
        if keys.is_empty() || keys.iter().any(|key| key.len() < SHORTEST_KEY) {
            let message = format!("each key must have {SHORTEST_KEY} characters or more");
            return Err(Fault::new(Code::Invalid, message));
        }
        Ok(Self(keys))
    }

    /// Derives the keys for one purpose. The derived keys reveal neither these keys nor the keys for other purposes.
    #[must_use]
    pub fn derive(&self, purpose: &str) -> Self {
        let derived = |key| <[u8; 32]>::from(mac(key, [purpose]).finalize().into_bytes());
        Self(
            self.0
                .iter()
                .map(|key| Box::from(derived(key).as_slice()))
                .collect(),
        )
    }

    /// The tag of a multi-part message by the first key. The boundaries between the parts are authenticated too.
    #[must_use]
    pub fn tag(&self, parts: &[&str]) -> [u8; 32] {
        mac(self.signing(), parts.iter().copied())
            .finalize()
            .into_bytes()
            .into()
    }

    /// The tags of a multi-part message by each key, the signing key first, to reproduce tags made with an earlier key.
    pub fn tags(&self, parts: &[&str]) -> impl Iterator<Item = [u8; 32]> {
        let keys = self.0.iter();
        keys.map(|key| {
            mac(key, parts.iter().copied())
                .finalize()
                .into_bytes()
                .into()
        })
    }

    /// Whether `tag` is the message's tag by any key, compared in constant time.
    #[must_use]
    pub fn is_tag_of(&self, tag: &[u8], parts: &[&str]) -> bool {
        self.0
            .iter()
            .any(|key| mac(key, parts.iter().copied()).verify_slice(tag).is_ok())
    }

    /// Whether `beginning` is a prefix of the message's tag by any key, compared in constant time. The caller must
    /// ensure that the prefix is long enough.
    #[must_use]
    pub fn begins_tag_of(&self, beginning: &[u8], parts: &[&str]) -> bool {
        let mut keys = self.0.iter();
        keys.any(|key| {
            let mac = mac(key, parts.iter().copied());
            mac.verify_truncated_left(beginning).is_ok()
        })
    }

    /// The tag of a single-part message by the first key.
    pub(crate) fn tag_whole(&self, message: &str) -> [u8; 32] {
        whole(self.signing(), message)
            .finalize()
            .into_bytes()
            .into()
    }

    /// Whether `tag` is the tag of a single-part message by any key, compared in constant time.
    pub(crate) fn is_tag_of_whole(&self, tag: &[u8], message: &str) -> bool {
        self.0
            .iter()
            .any(|key| whole(key, message).verify_slice(tag).is_ok())
    }

    #[expect(clippy::expect_used, reason = "each constructor has one key or more")]
    fn signing(&self) -> &[u8] {
        self.0.first().expect("a key")
    }
}

fn mac<'a>(key: &[u8], parts: impl IntoIterator<Item = &'a str>) -> Hmac<Sha256> {
    let mut mac = keyed(key);
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part.as_bytes());
    }
    mac
}

fn whole(key: &[u8], message: &str) -> Hmac<Sha256> {
    let mut mac = keyed(key);
    mac.update(message.as_bytes());
    mac
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::<Sha256>::new_from_slice(key).expect("a key of any length")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_good_for_its_message_and_its_purpose_alone() {
        let key = Keys::one(&[7; 32]);
        let devices = key.derive("devices");
        let tag = devices.tag(&["ab", "c"]);
        assert!(devices.is_tag_of(&tag, &["ab", "c"]));
        assert!(!devices.is_tag_of(&tag, &["a", "bc"]));
        assert!(!devices.is_tag_of(&tag[..31], &["ab", "c"]));
        assert!(!key.is_tag_of(&tag, &["ab", "c"]));
        assert!(!key.derive("limits").is_tag_of(&tag, &["ab", "c"]));
    }

    #[test]
    fn the_first_key_signs_and_each_verifies_until_it_is_removed() {
        let [old, new] = ["o", "n"].map(|one| one.repeat(SHORTEST_KEY));
        let keys = |text: &str| Keys::parse(text).expect("keys").derive("devices");
        let stages = [
            keys(&old),
            keys(&format!("{old}\n{new}")),
            keys(&format!("{new}\n{old}\n")),
            keys(&new),
        ];
        // Processes in adjacent stages of a rotation accept each other's tags.
        for pair in stages.windows(2) {
            for (signs, verifies) in [(0, 1), (1, 0)] {
                let tag = pair[signs].tag(&["ada"]);
                assert!(pair[verifies].is_tag_of(&tag, &["ada"]));
                let tag = pair[signs].tag_whole("ada");
                assert!(pair[verifies].is_tag_of_whole(&tag, "ada"));
            }
        }
        let tag = stages[0].tag(&["ada"]);
        assert!(stages[2].is_tag_of(&tag, &["ada"]));
        assert!(!stages[3].is_tag_of(&tag, &["ada"]));
    }

    #[test]
    fn no_key_and_a_short_one_among_others_are_refused() {
        let long = "k".repeat(SHORTEST_KEY);
        for text in ["", "\n", "short", &format!("{long}\nshort")] {
            assert_eq!(Keys::parse(text).expect_err(text).code, Code::Invalid);
        }
    }
}
