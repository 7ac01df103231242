//! Randomness, injected: tokens and ids come from here, so that tests can repeat them.

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::TryRngCore;
use uuid::Uuid;

/// Where random bytes come from.
pub trait Entropy: Send + Sync + 'static {
    /// Fills `bytes` with bytes that nobody can foresee.
    fn fill(&self, bytes: &mut [u8]);
}

/// Entropy that is shared by all parts of a process.
pub type SharedEntropy = Arc<dyn Entropy>;

/// The operating system's generator.
#[derive(Debug, Default, Clone, Copy)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    #[expect(
        clippy::expect_used,
        reason = "a system without randomness must not go on"
    )]
    fn fill(&self, bytes: &mut [u8]) {
        rand::rngs::OsRng
            .try_fill_bytes(bytes)
            .expect("the operating system has no randomness to give");
    }
}

/// A secret of 256 bits in URL-safe base64: a session's cookie, a link in a mail.
#[must_use]
pub fn secret_token(entropy: &dyn Entropy) -> String {
    let mut bytes = [0_u8; 32];
    entropy.fill(&mut bytes);
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// A random id (RFC 9562, version 4).
#[must_use]
pub fn uuid(entropy: &dyn Entropy) -> Uuid {
    let mut bytes = [0_u8; 16];
    entropy.fill(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}
