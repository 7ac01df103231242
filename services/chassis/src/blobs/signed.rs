//! Signed addresses: each grants read access to one private blob until it expires.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};

use crate::keys::Keys;

/// Signs and verifies addresses.
#[derive(Debug, Clone)]
pub struct AddressSigner {
    keys: Keys,
}

impl AddressSigner {
    /// Creates the signer; all processes of a system share the keys.
    #[must_use]
    pub fn new(keys: &Keys) -> Self {
        Self {
            keys: keys.derive("blob addresses"),
        }
    }

    /// The query string of a blob's address that is valid until `expires`: `expires=…&signature=…`.
    #[must_use]
    pub fn query(&self, blob: &str, expires: DateTime<Utc>) -> String {
        let expires = expires.timestamp().to_string();
        let tag = self.keys.tag(&[blob, &expires]);
        let signature = BASE64_URL_SAFE_NO_PAD.encode(tag);
        format!("expires={expires}&signature={signature}")
    }

    /// Whether an address's query string grants access to the blob at `now`.
    #[must_use]
    pub fn allows(&self, blob: &str, query: &str, now: DateTime<Utc>) -> bool {
        let Some((expires, signature)) = query
            .strip_prefix("expires=")
            .and_then(|rest| rest.split_once("&signature="))
        else {
            return false;
        };
        let Ok(tag) = BASE64_URL_SAFE_NO_PAD.decode(signature) else {
            return false;
        };
        let is_valid = expires
            .parse()
            .is_ok_and(|expires: i64| now.timestamp() < expires);
        is_valid && self.keys.is_tag_of(&tag, &[blob, expires])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_good_for_its_blob_until_it_expires_and_for_nothing_else() {
        let signer = AddressSigner::new(&Keys::one(&[7; 32]));
        let at = |second| DateTime::from_timestamp(second, 0).expect("an instant");
        let query = signer.query("a.jpg", at(1_000));
        assert!(signer.allows("a.jpg", &query, at(999)));
        assert!(!signer.allows("a.jpg", &query, at(1_000)));
        assert!(!signer.allows("b.jpg", &query, at(999)));
        let longer = query.replace("expires=1000", "expires=2000");
        assert!(!signer.allows("a.jpg", &longer, at(999)));
        for wrong in [
            "",
            "expires=2000",
            "expires=2000&signature=",
            "signature=x&expires=2000",
        ] {
            assert!(!signer.allows("a.jpg", wrong, at(999)), "{wrong}");
        }
        let other = AddressSigner::new(&Keys::one(&[8; 32]));
        assert!(!other.allows("a.jpg", &query, at(999)));
    }
}
