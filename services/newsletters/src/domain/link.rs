//! Links in confirmation emails.

use chrono::TimeDelta;
use sha2::{Digest, Sha256};

/// Validity of confirmation links and unconfirmed requests.
pub(crate) const CONFIRMATION_WORKS: TimeDelta = TimeDelta::days(3);

/// Maximum length of a subscriber's token, in bytes; actual tokens have 43.
const MAX: usize = 100;

/// Whether a text has the form of a subscriber's token; other texts are not looked up.
pub(crate) fn is_token(text: &str) -> bool {
    let is_of_one = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'-' | b'_');
    text.len() <= MAX && !text.is_empty() && text.bytes().all(is_of_one)
}

/// Digest of a link's secret, which is only in the email.
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
