//! The secrets that the processes of one system share, and keys made of them, each for one purpose.

use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::error::{Code, Fault};

/// The fewest bytes of a key: as many as a code of HMAC-SHA-256 has (RFC 2104, 3).
pub const SHORTEST_KEY: usize = 32;

/// Keys for message authentication codes (HMAC-SHA-256). The first signs and each verifies, so that a key can
/// be replaced while some processes have it and others do not.
#[derive(Clone)]
pub struct Keys(Arc<[Box<[u8]>]>);

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keys").finish_non_exhaustive()
    }
}

impl Keys {
    /// One key.
    #[must_use]
    pub fn one(key: &[u8]) -> Self {
        Self([key.into()].into())
    }

    /// Reads keys from a text, one per line. [`Code::Invalid`] if there is none, or if one is shorter than
    /// [`SHORTEST_KEY`].
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

    /// The keys for one purpose: they reveal neither these keys nor those of other purposes.
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

    /// The code of a message in parts, by the first key. The boundaries between the parts are signed too.
    #[must_use]
    pub fn tag(&self, parts: &[&str]) -> [u8; 32] {
        mac(self.signing(), parts.iter().copied())
            .finalize()
            .into_bytes()
            .into()
    }

    /// The codes of a message in parts by each key, the signing one first: to make again what was made with a key before.
    pub fn tags(&self, parts: &[&str]) -> impl Iterator<Item = [u8; 32]> {
        let keys = self.0.iter();
        keys.map(|key| {
            mac(key, parts.iter().copied())
                .finalize()
                .into_bytes()
                .into()
        })
    }

    /// Whether a code is that of the message by any key, compared in constant time.
    #[must_use]
    pub fn is_tag_of(&self, tag: &[u8], parts: &[&str]) -> bool {
        self.0
            .iter()
            .any(|key| mac(key, parts.iter().copied()).verify_slice(tag).is_ok())
    }

    /// Whether these bytes are the beginning of the code of the message by any key, compared in constant time. The caller
    /// sees to it that they are enough.
    #[must_use]
    pub fn begins_tag_of(&self, beginning: &[u8], parts: &[&str]) -> bool {
        let mut keys = self.0.iter();
        keys.any(|key| {
            let mac = mac(key, parts.iter().copied());
            mac.verify_truncated_left(beginning).is_ok()
        })
    }

    /// The code of a message in one piece, by the first key.
    pub(crate) fn tag_whole(&self, message: &str) -> [u8; 32] {
        whole(self.signing(), message)
            .finalize()
            .into_bytes()
            .into()
    }

    /// Whether a code is that of a message in one piece by any key, compared in constant time.
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
        // Processes in neighbouring stages of a rotation accept each other's codes.
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
