//! Sessions: an opaque secret in a cookie, of which only the digest is stored.

use chassis::digest;
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

/// The lifetime of a session after its last activity.
pub(crate) const IDLE: TimeDelta = TimeDelta::days(5);
/// The maximum lifetime of a session.
pub(crate) const CAP: TimeDelta = TimeDelta::days(90);
/// The minimum interval between stored activity times, so that not every read causes a write.
pub(crate) const TOUCH_AFTER: TimeDelta = TimeDelta::seconds(60);

/// How long a sign-in proves the reader's identity for changes of sign-in methods, and a log-in with Facebook also for
/// erasing the account.
const PROOF: TimeDelta = TimeDelta::minutes(5);

/// When the reader proved their identity in a session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proofs {
    /// The sign-in with which the session began.
    pub(crate) signed_in_at: DateTime<Utc>,
    /// The last log-in with Facebook.
    pub(crate) facebook_login_at: Option<DateTime<Utc>>,
}

impl Proofs {
    pub(crate) fn is_fresh(self, now: DateTime<Utc>) -> bool {
        self.signed_in_at > now - PROOF || self.is_fresh_by_facebook(now)
    }

    pub(crate) fn is_fresh_by_facebook(self, now: DateTime<Utc>) -> bool {
        self.facebook_login_at.is_some_and(|at| at > now - PROOF)
    }
}

/// The maximum number of sessions of an account; a further sign-in ends the session that has been idle the longest.
pub(crate) const MAX_SESSIONS: i64 = 100;

/// The account that a session belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) profile_id: i64,
    pub(crate) created_at: DateTime<Utc>,
}

/// A session, as shown to its reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenSession {
    pub(crate) id: i64,
    pub(crate) token_digest: Vec<u8>,
    /// The `User-Agent` at sign-in.
    pub(crate) device: String,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) last_active_at: DateTime<Utc>,
}

/// The digest under which a cookie's value is stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SessionToken {
    digest: Vec<u8>,
}

impl SessionToken {
    pub(crate) fn new(secret: &str) -> Self {
        Self {
            digest: Sha256::digest(secret).to_vec(),
        }
    }

    /// A session token, from the stored digest of its secret.
    pub(crate) fn from_digest(digest: Vec<u8>) -> Self {
        Self { digest }
    }

    pub(crate) fn digest(&self) -> &[u8] {
        &self.digest
    }

    /// The key in the cache.
    pub(crate) fn key(&self) -> String {
        format!("session:{}", digest::hex(&self.digest, 32))
    }
}
