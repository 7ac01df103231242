//! Private calendar feeds: an address with a secret that identifies the reader.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::keys::Keys;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::LinkToken;

/// A stored feed.
#[derive(Debug, Clone)]
pub(crate) struct CalendarFeed {
    pub(crate) nonce: Uuid,
    pub(crate) token_digest: Vec<u8>,
    pub(crate) created_at: DateTime<Utc>,
}

/// Derives the secrets of feeds. A secret is not stored, but can be shown again on another device, because it is an
/// authentication code of its feed's nonce.
#[derive(Clone)]
pub(crate) struct FeedSecrets(Keys);

impl FeedSecrets {
    pub(crate) fn new(keys: &Keys) -> Self {
        Self(keys.derive("calendar feeds"))
    }

    /// The secret of a new feed: 256 bits in URL-safe base64.
    pub(crate) fn make(&self, profile_id: i64, nonce: Uuid) -> String {
        encode(
            self.0
                .tag(&message(profile_id, nonce).each_ref().map(String::as_str)),
        )
    }

    /// The secret of a stored feed; `None` if its key has since been removed.
    pub(crate) fn of(&self, profile_id: i64, feed: &CalendarFeed) -> Option<String> {
        let message = message(profile_id, feed.nonce);
        let message = message.each_ref().map(String::as_str);
        let mut secrets = self.0.tags(&message).map(encode);
        secrets.find(|secret| LinkToken::new(secret).digest() == feed.token_digest)
    }
}

fn message(profile_id: i64, nonce: Uuid) -> [String; 2] {
    [profile_id.to_string(), nonce.to_string()]
}

fn encode(code: [u8; 32]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(keys: &str) -> FeedSecrets {
        FeedSecrets::new(&Keys::parse(keys).expect("keys"))
    }

    #[test]
    fn a_secret_can_be_shown_again_until_its_key_is_removed() {
        let [old, new] = ["o", "n"].map(|one| one.repeat(32));
        let nonce = Uuid::from_u128(7);
        let secret = secrets(&old).make(1, nonce);
        let feed = CalendarFeed {
            nonce,
            token_digest: LinkToken::new(&secret).digest().to_vec(),
            created_at: DateTime::UNIX_EPOCH,
        };
        for keys in [&old, &format!("{old}\n{new}"), &format!("{new}\n{old}")] {
            assert_eq!(secrets(keys).of(1, &feed), Some(secret.clone()));
        }
        assert_eq!(secrets(&new).of(1, &feed), None);
        assert_eq!(secrets(&old).of(2, &feed), None, "another reader's");
    }
}
