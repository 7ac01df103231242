//! Signatures that anyone can verify with a public key (Ed25519, RFC 8032). The key pairs are derived from the system's
//! keys, so each pair changes with `internal.key`: a service that publishes signatures must store the public keys.

use ring::signature::{ED25519, Ed25519KeyPair, KeyPair as _, UnparsedPublicKey};

use crate::keys::Keys;

/// A public key.
pub type PublicKey = [u8; 32];

/// A key pair for one purpose.
pub struct SigningKey {
    pair: Ed25519KeyPair,
    public_key: PublicKey,
}

crate::opaque_debug!(SigningKey);

impl SigningKey {
    /// Derives a key pair from the first of the system's keys.
    #[must_use]
    pub fn first(keys: &Keys, purpose: &str) -> Self {
        Self::new(keys.derive(purpose).tag(&["Ed25519"]))
    }

    /// Derives a key pair from each of the system's keys, in their order.
    #[must_use]
    pub fn all(keys: &Keys, purpose: &str) -> Vec<Self> {
        let seeds = keys.derive(purpose).tags(&["Ed25519"]).collect::<Vec<_>>();
        seeds.into_iter().map(Self::new).collect()
    }

    #[expect(
        clippy::expect_used,
        reason = "every 32 bytes are a seed of a key of 32 bytes"
    )]
    fn new(seed: [u8; 32]) -> Self {
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed).expect("a key pair");
        let public_key = pair.public_key().as_ref().try_into().expect("a public key");
        Self { pair, public_key }
    }

    /// The public key.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        self.public_key
    }

    /// The signature of a message.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        self.pair.sign(message).as_ref().to_vec()
    }
}

/// Whether the signature of a message was made by the key pair of a public key.
#[must_use]
pub fn is_signed(message: &[u8], signature: &[u8], public_key: &[u8]) -> bool {
    let key = UnparsedPublicKey::new(&ED25519, public_key);
    key.verify(message, signature).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_valid_for_its_message_and_its_key_alone() {
        let keys = Keys::parse(&format!("{}\n{}", "a".repeat(32), "b".repeat(32))).expect("keys");
        let all = SigningKey::all(&keys, "receipts");
        let [first, second] = all.as_slice() else {
            panic!("{} keys", all.len());
        };
        let signature = first.sign(b"paid");
        assert!(is_signed(b"paid", &signature, &first.public_key()));
        let same = SigningKey::first(&keys, "receipts").public_key();
        assert_eq!(first.public_key(), same);
        let other = SigningKey::first(&keys, "log").public_key();
        for key in [&second.public_key(), &other] {
            assert!(!is_signed(b"paid", &signature, key));
        }
        assert!(!is_signed(b"unpaid", &signature, &first.public_key()));
        assert!(!is_signed(b"paid", &signature[1..], &first.public_key()));
        assert!(!is_signed(b"paid", &signature, b"short"));
    }
}
