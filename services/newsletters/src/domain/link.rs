//! Links in requests to confirm.

use chrono::TimeDelta;
use sha2::{Digest, Sha256};

/// How long such a link works, and what it would confirm is kept.
pub(crate) const CONFIRMATION_WORKS: TimeDelta = TimeDelta::days(3);

/// The longest token of a subscriber, in bytes: they have 43.
const MAX: usize = 100;

/// Whether a text may be the token of a subscriber: those of no other form are not looked up.
pub(crate) fn is_token(text: &str) -> bool {
    let is_of_one = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'-' | b'_');
    text.len() <= MAX && !text.is_empty() && text.bytes().all(is_of_one)
}

/// The secret of a link, which only the mail has; here it is known by its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinkToken(Vec<u8>);

impl LinkToken {
    pub(crate) fn new(secret: &str) -> Self {
        Self(Sha256::digest(secret).to_vec())
    }

    pub(crate) fn digest(&self) -> &[u8] {
        &self.0
    }
}
