//! Encryption of stored third-party secrets, such as the tokens for readers' calendars.

use std::sync::Arc;

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::{
    digest,
    entropy::Entropy,
    error::{Code, Fault},
    keys::Keys,
};

/// Encrypts and decrypts texts (ChaCha20-Poly1305, RFC 8439) with keys derived from the system's keys. The first key
/// encrypts and all keys decrypt, so that a key can be replaced: texts sealed with the old key are sealed again before
/// it is removed ([`Self::key_id`]).
#[derive(Clone)]
pub struct Sealer(Arc<[(String, LessSafeKey)]>);

crate::opaque_debug!(Sealer);

impl Sealer {
    /// The sealer for a purpose. [`Code::Internal`] if a key has the wrong length, which cannot occur.
    pub fn new(keys: &Keys, purpose: &str) -> Result<Self, Fault> {
        let derived = keys.derive(purpose);
        let keys: Result<Vec<_>, Fault> = derived
            .tags(&["ChaCha20-Poly1305"])
            .map(|bytes| {
                let key = UnboundKey::new(&CHACHA20_POLY1305, &bytes).map_err(|_| broken())?;
                Ok((digest::hex(bytes, 8), LessSafeKey::new(key)))
            })
            .collect();
        Ok(Self(keys?.into()))
    }

    /// The id of the encryption key: it changes with the key, and reveals nothing about it.
    #[must_use]
    pub fn key_id(&self) -> &str {
        self.0.first().map_or("", |(id, _)| id)
    }

    /// Encrypts a text. `context` identifies its location, such as its owner's id: decryption requires the same
    /// context, so that a sealed text cannot be moved to another row.
    pub fn seal(&self, entropy: &dyn Entropy, context: &str, text: &str) -> Result<Vec<u8>, Fault> {
        let (_, key) = self.0.first().ok_or_else(broken)?;
        let mut nonce = [0; NONCE_LEN];
        entropy.fill(&mut nonce);
        let mut sealed = text.as_bytes().to_vec();
        let context = Aad::from(context.as_bytes());
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), context, &mut sealed)
            .map_err(|_| broken())?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Decrypts a text; `None` if its key has been removed, the context differs, or the text was modified.
    #[must_use]
    pub fn open(&self, context: &str, sealed: &[u8]) -> Option<String> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_LEN>()?;
        self.0.iter().find_map(|(_, key)| {
            let mut text = sealed.to_vec();
            let nonce = Nonce::assume_unique_for_key(*nonce);
            let context = Aad::from(context.as_bytes());
            let opened = key.open_in_place(nonce, context, &mut text).ok()?.len();
            text.truncate(opened);
            String::from_utf8(text).ok()
        })
    }
}

fn broken() -> Fault {
    Fault::new(Code::Internal, "a secret could not be encrypted")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::OsEntropy;

    fn sealer(keys: &str) -> Sealer {
        Sealer::new(&Keys::parse(keys).expect("keys"), "tokens").expect("a sealer")
    }

    #[test]
    fn a_text_opens_until_its_key_is_removed() {
        let [old, new] = ["o", "n"].map(|one| one.repeat(32));
        let both = format!("{new}\n{old}");
        let sealed = sealer(&old)
            .seal(&OsEntropy, "7", "a token")
            .expect("seals");
        for keys in [&old, &both] {
            assert_eq!(sealer(keys).open("7", &sealed).as_deref(), Some("a token"));
        }
        assert_eq!(sealer(&new).open("7", &sealed), None);
        let again = sealer(&both)
            .seal(&OsEntropy, "7", "a token")
            .expect("seals");
        assert_eq!(sealer(&new).open("7", &again).as_deref(), Some("a token"));
        assert_eq!(sealer(&new).key_id(), sealer(&both).key_id());
        assert_ne!(sealer(&old).key_id(), sealer(&both).key_id());
    }

    #[test]
    fn a_text_opens_where_it_belongs_and_unchanged_alone() {
        let ours = sealer(&"k".repeat(32));
        let sealed = ours.seal(&OsEntropy, "7", "a token").expect("seals");
        assert!(!sealed.windows(7).any(|part| part == b"a token"));
        assert_eq!(ours.open("8", &sealed), None);
        for position in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[position] ^= 1;
            assert_eq!(ours.open("7", &changed), None, "{position}");
        }
        assert_eq!(ours.open("7", &sealed[..5]), None);
        let other = ours.seal(&OsEntropy, "7", "a token").expect("seals");
        assert_ne!(other, sealed);
    }
}
