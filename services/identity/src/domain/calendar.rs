//! Readers' calendars: access grants, and the events written to the calendars.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::{origin::Origin, postgres::jobs::Job};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How long before its expiry an access token is no longer used.
pub(crate) const TOKEN_MARGIN: TimeDelta = TimeDelta::minutes(1);
/// A grant that was last checked longer ago than this is checked again before an event is saved, because the reader may
/// have revoked it.
pub(crate) const CHECKED_FOR: TimeDelta = TimeDelta::minutes(1);
/// How long a removed bookmark is remembered, because the message that it was saved may arrive after the message that
/// it was removed.
pub(crate) const REMOVAL_KEPT: TimeDelta = TimeDelta::days(7);
/// How long an authorisation is kept after it began: by then, it and all attempts to save its event have ended.
pub(crate) const AUTHORIZATION_KEPT: TimeDelta = TimeDelta::days(1);
/// The maximum number of a reader's events rewritten when a calendar is connected again: the most recently saved.
pub(crate) const MAX_WRITTEN_AGAIN: i64 = 500;

#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Tokens {
    pub(crate) refresh: String,
    pub(crate) access: String,
    pub(crate) access_expires_at: DateTime<Utc>,
}

/// A stored grant with encrypted tokens.
#[derive(Debug, Clone)]
pub(crate) struct Grant {
    pub(crate) profile_id: i64,
    /// The id of the key that encrypts the tokens.
    pub(crate) key_id: String,
    pub(crate) refresh_token: Vec<u8>,
    pub(crate) access_token: Vec<u8>,
    pub(crate) access_expires_at: DateTime<Utc>,
    /// When Google last issued an access token.
    pub(crate) checked_at: DateTime<Utc>,
    pub(crate) created_at: DateTime<Utc>,
}

/// A bookmark that is saved in the calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) profile_id: i64,
    pub(crate) bookmark_id: i64,
    pub(crate) event_id: i64,
    /// The id of the calendar event.
    pub(crate) google_id: String,
    pub(crate) written_at: Option<DateTime<Utc>>,
    pub(crate) unwanted_at: Option<DateTime<Utc>>,
}

/// The calendar event id of a bookmark: the same for every attempt, so that Google refuses duplicates. Google requires
/// 5 to 1024 base32hex characters (Calendar API, `Events`: a to v and 0 to 9), which include the hexadecimal digits.
pub(crate) fn google_id(site: &Origin, profile_id: i64, bookmark_id: i64) -> String {
    let name = format!("{} {profile_id} {bookmark_id}", site.as_str());
    format!("cg{}", chassis::digest::hex(name, 20))
}

/// Writes or removes a bookmark's calendar event to match the bookmark.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SyncJob {
    pub(crate) profile_id: i64,
    pub(crate) bookmark_id: i64,
}

impl Job for SyncJob {
    const KIND: &'static str = "calendar-sync";
    const LEAVES_SITE: bool = true;
}

/// Saves the event of a granted authorisation, if it could not be saved immediately.
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
    const LEAVES_SITE: bool = true;
}

/// Revokes a grant at Google that is no longer needed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RevokeJob {
    /// The reader who gave the grant; the token is encrypted for this reader.
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
    const LEAVES_SITE: bool = true;
}

/// The SHA-256 digest under which an authorisation's state is stored.
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
