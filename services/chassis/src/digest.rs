//! SHA-256 as text, for names and tags derived from content.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// Formats bytes in hexadecimal.
#[must_use]
pub fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The first `bytes` bytes (32 at most) of the content's SHA-256, in hexadecimal.
#[must_use]
pub fn hex(content: impl AsRef<[u8]>, bytes: usize) -> String {
    let digest = Sha256::digest(content);
    text(&digest[..bytes.min(digest.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_cut_to_what_is_asked() {
        assert_eq!(hex("", 4), "e3b0c442");
        assert_eq!(hex("", 99).len(), 64);
    }
}
