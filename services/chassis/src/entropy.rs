//! Injected randomness: the source of tokens and ids, so that tests are repeatable.

use std::sync::{Arc, Mutex, PoisonError};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::TryRngCore;
use uuid::Uuid;

/// A source of random bytes.
pub trait Entropy: Send + Sync + 'static {
    /// Fills `bytes` with unpredictable bytes.
    fn fill(&self, bytes: &mut [u8]);
}

/// A source of randomness shared by all parts of a process.
pub type SharedEntropy = Arc<dyn Entropy>;

/// The operating system's random number generator.
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

/// A secret of 256 bits in URL-safe base64, for a session cookie or a mailed link.
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

/// The number of bytes drawn at a time: 256 ids.
const AHEAD: usize = 16 * 256;

/// Entropy drawn in advance, for ids created so often that a system call for each would be too expensive. The bytes
/// stay in memory until they are used, so they must not be used for secrets.
pub struct EntropyAhead {
    source: SharedEntropy,
    drawn: Mutex<Drawn>,
}

struct Drawn {
    bytes: [u8; AHEAD],
    used: usize,
}

impl EntropyAhead {
    /// Draws entropy from a source in advance.
    #[must_use]
    pub fn new(source: SharedEntropy) -> Self {
        let drawn = Drawn {
            bytes: [0; AHEAD],
            used: AHEAD,
        };
        Self {
            source,
            drawn: Mutex::new(drawn),
        }
    }
}

impl Entropy for EntropyAhead {
    fn fill(&self, bytes: &mut [u8]) {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        for part in bytes.chunks_mut(AHEAD) {
            if drawn.used + part.len() > AHEAD {
                self.source.fill(&mut drawn.bytes);
                drawn.used = 0;
            }
            let end = drawn.used + part.len();
            part.copy_from_slice(&drawn.bytes[drawn.used..end]);
            drawn.used = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    /// Counts the calls to the operating system's generator.
    #[derive(Default)]
    struct Counted(AtomicUsize);

    impl Entropy for Counted {
        fn fill(&self, bytes: &mut [u8]) {
            self.0.fetch_add(1, Ordering::Relaxed);
            OsEntropy.fill(bytes);
        }
    }

    #[test]
    fn what_is_drawn_ahead_is_given_once_and_the_source_asked_seldom() {
        let source = Arc::new(Counted::default());
        let ahead = EntropyAhead::new(Arc::clone(&source) as SharedEntropy);
        let ids: HashSet<Uuid> = (0..1_000).map(|_| uuid(&ahead)).collect();
        assert_eq!(ids.len(), 1_000);
        assert_eq!(source.0.load(Ordering::Relaxed), 4);
        let mut long = vec![0; 3 * AHEAD + 5];
        ahead.fill(&mut long);
        let parts: HashSet<&[u8]> = long.chunks_exact(16).collect();
        assert_eq!(parts.len(), 3 * 256);
    }
}
