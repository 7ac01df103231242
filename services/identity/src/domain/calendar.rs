//! Readers' calendars: grants of access, and the events that are written to them.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::{origin::Origin, postgres::jobs::Job};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// An access token is used until so long before its end.
pub(crate) const TOKEN_MARGIN: TimeDelta = TimeDelta::minutes(1);
/// A grant that stood this long ago is asked for again before an event is saved: its owner may have revoked it.
pub(crate) const CHECKED_FOR: TimeDelta = TimeDelta::minutes(1);
/// How long a removed bookmark is remembered, because the message that it was saved may come after the one that it was
/// removed.
pub(crate) const REMOVAL_KEPT: TimeDelta = TimeDelta::days(7);
/// How long an authorisation is kept after it was begun: it is over by then, and so is every try to save its event.
pub(crate) const AUTHORIZATION_KEPT: TimeDelta = TimeDelta::days(1);
/// The events of a reader that are written again to a calendar that is connected anew: those saved last.
pub(crate) const MAX_WRITTEN_AGAIN: i64 = 500;

/// The tokens of a grant.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) refresh: String,
    pub(crate) access: String,
    pub(crate) access_expires_at: DateTime<Utc>,
}

/// A grant as it is stored, its tokens encrypted.
#[derive(Debug, Clone)]
pub(crate) struct Grant {
    pub(crate) profile_id: i64,
    /// The key that the tokens are encrypted with.
    pub(crate) key_id: String,
    pub(crate) refresh_token: Vec<u8>,
    pub(crate) access_token: Vec<u8>,
    pub(crate) access_expires_at: DateTime<Utc>,
    /// When Google last gave an access token.
    pub(crate) checked_at: DateTime<Utc>,
    pub(crate) created_at: DateTime<Utc>,
}

/// A bookmark with the calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) profile_id: i64,
    pub(crate) bookmark_id: i64,
    pub(crate) event_id: i64,
    /// The id of the calendar's event.
    pub(crate) google_id: String,
    pub(crate) written_at: Option<DateTime<Utc>>,
    pub(crate) unwanted_at: Option<DateTime<Utc>>,
}

/// The id of the calendar's event of a bookmark: the same for every try, so that Google refuses a second one. Ids consist
/// of the digits and letters of base32hex (Calendar API, `Events`: 5 to 1024 of a to v and 0 to 9), and so do hexadecimal
/// digits.
pub(crate) fn google_id(site: &Origin, profile_id: i64, bookmark_id: i64) -> String {
    let name = format!("{} {profile_id} {bookmark_id}", site.as_str());
    format!("cg{}", chassis::digest::hex(name, 20))
}

/// Brings the calendar's event of a bookmark in line with it: written, or removed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SyncJob {
    pub(crate) profile_id: i64,
    pub(crate) bookmark_id: i64,
}

impl Job for SyncJob {
    const KIND: &'static str = "calendar-sync";
}

/// Saves the event of an authorisation that was given, if that has not been done at once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SaveJob {
    pub(crate) profile_id: i64,
    state_digest: String,
}

impl SaveJob {
    pub(crate) fn new(profile_id: i64, state_digest: &[u8]) -> Self {
        Self {
            profile_id,
            state_digest: BASE64_URL_SAFE_NO_PAD.encode(state_digest),
        }
    }

    /// The digest of the authorisation's state.
    pub(crate) fn state_digest(&self) -> Option<Vec<u8>> {
        BASE64_URL_SAFE_NO_PAD.decode(&self.state_digest).ok()
    }
}

impl Job for SaveJob {
    const KIND: &'static str = "calendar-save";
}

/// Tells Google that a grant is no longer needed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RevokeJob {
    /// Whose grant it was; the token is encrypted for this reader.
    pub(crate) profile_id: i64,
    token: String,
}

impl RevokeJob {
    pub(crate) fn new(grant: &Grant) -> Self {
        Self {
            profile_id: grant.profile_id,
            token: BASE64_URL_SAFE_NO_PAD.encode(&grant.refresh_token),
        }
    }

    /// The encrypted token.
    pub(crate) fn token(&self) -> Option<Vec<u8>> {
        BASE64_URL_SAFE_NO_PAD.decode(&self.token).ok()
    }
}

impl Job for RevokeJob {
    const KIND: &'static str = "calendar-revoke";
}

/// The SHA-256 under which the state of an authorisation is stored.
pub(crate) fn state_digest(state: &str) -> Vec<u8> {
    Sha256::digest(state).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_one_id_that_google_accepts_and_no_other_bookmark_has_it() {
        let site = |url| Origin::parse(url).expect("an origin");
        let (here, there) = (site("https://guide.test"), site("https://other.test"));
        let id = google_id(&here, 1, 23);
        assert_eq!(id, google_id(&here, 1, 23));
        assert!(id.len() == 42 && id.chars().all(|c| matches!(c, '0'..='9' | 'a'..='v')));
        for other in [
            google_id(&there, 1, 23),
            google_id(&here, 12, 3),
            google_id(&here, 1, 24),
        ] {
            assert_ne!(other, id);
        }
    }
}
