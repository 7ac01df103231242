//! The audit log: who did what to an account, when, and from which network.

use chassis::keys::Keys;
use chrono::{DateTime, DurationRound, TimeDelta, Utc};

/// Entries of one account and act; beyond them the oldest is deleted, so that nobody grows the log without bound, and an
/// act that is repeated pushes out no other.
pub(crate) const MAX_ENTRIES: i64 = 500;

/// Networks that the failed attempts on one account are told apart by in an hour; those of further networks are counted
/// together.
pub(crate) const MAX_NETWORKS: i64 = 20;

/// The bytes of a pseudonym.
const PSEUDONYM: usize = 16;

/// Makes the acts, with their names in the database, in exports and for operators: a line each.
macro_rules! acts {
    ($($(#[$doc:meta])* $act:ident = $name:literal,)*) => {
        /// An act that the audit log records.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Act {
            $($(#[$doc])* $act,)*
        }

        impl Act {
            /// The name in the database.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$act => $name,)*
                }
            }
        }
    };
}

acts! {
    /// The account was made.
    Registered = "registered",
    /// A session has begun.
    SignedIn = "signed-in",
    /// A sign-in, or another use of a passkey, that was refused, of an account or of an address that no account has. Counted.
    SignInFailed = "sign-in-failed",
    /// Its reader has ended a session where it was.
    SignedOut = "signed-out",
    /// Its reader has ended a session of another device.
    SessionEnded = "session-ended",
    /// Its reader has replaced the password.
    PasswordChanged = "password-changed",
    /// A wrong password of somebody who is signed in, for a change of the password or an erasure. Counted.
    PasswordCheckFailed = "password-check-failed",
    /// A link that sets a new password was mailed.
    PasswordResetRequested = "password-reset-requested",
    /// Such a link was used.
    PasswordReset = "password-reset",
    /// Its reader has made a passkey for it.
    PasskeyAdded = "passkey-added",
    /// Its reader has removed a passkey.
    PasskeyRemoved = "passkey-removed",
    /// The account was connected with one at Facebook.
    FacebookConnected = "facebook-connected",
    /// Its reader, or Facebook on behalf of its user, has ended that connection.
    FacebookDisconnected = "facebook-disconnected",
    /// Its reader wants another address.
    EmailChangeRequested = "email-change-requested",
    /// An address was confirmed by its link.
    EmailConfirmed = "email-confirmed",
    /// Its reader has made a calendar feed, or given it another secret.
    CalendarFeedMade = "calendar-feed-made",
    /// Its reader has ended the calendar feed.
    CalendarFeedEnded = "calendar-feed-ended",
    /// Its reader has let the site write to their own calendar.
    CalendarConnected = "calendar-connected",
    /// Its reader has ended that here.
    CalendarDisconnected = "calendar-disconnected",
    /// Its reader has taken all that is stored along.
    DataExported = "data-exported",
    /// Its reader has left.
    AccountErased = "account-erased",
    /// An operator has looked the account up.
    AccountViewed = "account-viewed",
    /// An operator has read the account's entries of this log.
    AuditViewed = "audit-viewed",
    /// An operator has disabled the account.
    AccountDisabled = "account-disabled",
    /// An operator has enabled it again.
    AccountEnabled = "account-enabled",
    /// An operator has ended all its sessions.
    SessionsEnded = "sessions-ended",
}

/// An entry as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuditEntry {
    pub(crate) id: i64,
    /// `None` if there is no account, or none any more.
    pub(crate) profile_id: Option<i64>,
    /// Stands for the account of a reader who has left.
    pub(crate) pseudonym: Option<Vec<u8>>,
    pub(crate) act: String,
    pub(crate) network: Option<String>,
    pub(crate) operator: Option<String>,
    /// Failed attempts that are counted together; otherwise 1.
    pub(crate) times: i64,
    pub(crate) first_at: DateTime<Utc>,
    pub(crate) last_at: DateTime<Utc>,
}

/// The place after an entry, in the order of time; before all entries of an instant, the id is 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AuditCursor {
    pub(crate) last_at: DateTime<Utc>,
    pub(crate) id: i64,
}

/// The hour in which failed attempts are counted together.
pub(crate) fn hour(now: DateTime<Utc>) -> DateTime<Utc> {
    now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now)
}

/// Makes the pseudonyms of readers who have left. Nobody finds out an account by one without the key.
#[derive(Clone)]
pub(crate) struct Pseudonyms(Keys);

impl Pseudonyms {
    pub(crate) fn new(keys: &Keys) -> Self {
        Self(keys.derive("audit pseudonyms"))
    }

    /// The pseudonym of an account that is erased now.
    pub(crate) fn make(&self, profile_id: i64) -> Vec<u8> {
        cut(self.0.tag(&[&profile_id.to_string()]))
    }

    /// All that it may have, by whichever key that has not been removed.
    pub(crate) fn all(&self, profile_id: i64) -> Vec<Vec<u8>> {
        self.0.tags(&[&profile_id.to_string()]).map(cut).collect()
    }
}

fn cut(code: [u8; 32]) -> Vec<u8> {
    code.into_iter().take(PSEUDONYM).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pseudonym_is_found_again_until_its_key_is_removed() {
        let [old, new] = ["o", "n"].map(|one| one.repeat(32));
        let pseudonyms = |keys: &str| Pseudonyms::new(&Keys::parse(keys).expect("keys"));
        let made = pseudonyms(&old).make(7);
        assert_eq!(made.len(), PSEUDONYM);
        assert!(pseudonyms(&format!("{new}\n{old}")).all(7).contains(&made));
        assert!(!pseudonyms(&new).all(7).contains(&made));
        assert!(
            !pseudonyms(&old).all(8).contains(&made),
            "another account's"
        );
    }

    #[test]
    fn attempts_are_counted_by_the_hour() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().expect("an instant");
        let begun = at("2026-11-24T14:00:00Z");
        for within in ["2026-11-24T14:00:00Z", "2026-11-24T14:59:59.999Z"] {
            assert_eq!(hour(at(within)), begun);
        }
    }
}
