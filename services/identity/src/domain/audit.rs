//! The audit log: who did what to an account, when, and from which network.

use chassis::keys::Keys;
use chrono::{DateTime, DurationRound, TimeDelta, Utc};

/// The maximum number of entries per account and action; when it is exceeded, the oldest entry is deleted, so that the
/// log is bounded and a repeated action does not displace others.
pub(crate) const MAX_ENTRIES: i64 = 500;

/// The maximum number of networks per hour for which failed attempts on an account are counted separately; attempts
/// from further networks are counted together.
pub(crate) const MAX_NETWORKS: i64 = 20;

/// The length of a pseudonym in bytes.
const PSEUDONYM: usize = 16;

/// Defines the actions with their names in the database, in exports and for operators, one per line.
macro_rules! acts {
    ($($(#[$doc:meta])* $act:ident = $name:literal,)*) => {
        /// An action recorded in the audit log.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Act {
            $($(#[$doc])* $act,)*
        }

        impl Act {
            /// The action's name in the database.
            pub(crate) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$act => $name,)*
                }
            }
        }
    };
}

acts! {
    /// The account was created.
    Registered = "registered",
    /// A session began.
    SignedIn = "signed-in",
    /// A sign-in, or another use of a passkey, was refused, for an account or for an address without an account.
    /// Counted.
    SignInFailed = "sign-in-failed",
    /// The reader ended their current session.
    SignedOut = "signed-out",
    /// The reader ended a session on another device.
    SessionEnded = "session-ended",
    /// The reader replaced the password.
    PasswordChanged = "password-changed",
    /// A signed-in user entered a wrong password to change the password or erase the account. Counted.
    PasswordCheckFailed = "password-check-failed",
    /// A password reset link was mailed.
    PasswordResetRequested = "password-reset-requested",
    /// A password reset link was used.
    PasswordReset = "password-reset",
    /// The reader added a passkey.
    PasskeyAdded = "passkey-added",
    /// The reader removed a passkey.
    PasskeyRemoved = "passkey-removed",
    /// The account was connected to a Facebook account.
    FacebookConnected = "facebook-connected",
    /// The reader, or Facebook on behalf of its user, ended the Facebook connection.
    FacebookDisconnected = "facebook-disconnected",
    /// All sign-in methods and grants ended, because the owner of the address confirmed it and had not created them.
    AccessEnded = "access-ended",
    /// The reader requested a change of the address.
    EmailChangeRequested = "email-change-requested",
    /// An address was confirmed with its link.
    EmailConfirmed = "email-confirmed",
    /// The owner of the account's former address restored it with a mailed link.
    EmailRestored = "email-restored",
    /// The reader created a calendar feed or replaced its secret.
    CalendarFeedMade = "calendar-feed-made",
    /// The reader ended the calendar feed.
    CalendarFeedEnded = "calendar-feed-ended",
    /// The reader authorised the site to write to their calendar.
    CalendarConnected = "calendar-connected",
    /// The reader disconnected the calendar on this site.
    CalendarDisconnected = "calendar-disconnected",
    /// The reader exported all stored data.
    DataExported = "data-exported",
    /// The reader erased the account.
    AccountErased = "account-erased",
    /// An operator looked up the account.
    AccountViewed = "account-viewed",
    /// An operator read the account's audit log.
    AuditViewed = "audit-viewed",
    /// An operator disabled the account.
    AccountDisabled = "account-disabled",
    /// An operator enabled the account again.
    AccountEnabled = "account-enabled",
    /// An operator ended all sessions of the account.
    SessionsEnded = "sessions-ended",
}

/// A stored audit log entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AuditEntry {
    pub(crate) id: i64,
    /// `None` if there is no account, or it has been erased.
    pub(crate) profile_id: Option<i64>,
    /// The pseudonym of an erased account.
    pub(crate) pseudonym: Option<Vec<u8>>,
    pub(crate) act: String,
    pub(crate) network: Option<String>,
    pub(crate) operator: Option<String>,
    /// The number of failed attempts counted in this entry; otherwise 1.
    pub(crate) times: i64,
    pub(crate) first_at: DateTime<Utc>,
    pub(crate) last_at: DateTime<Utc>,
}

/// The position after an entry, ordered by time; id 0 is the position before all entries of an instant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AuditCursor {
    pub(crate) last_at: DateTime<Utc>,
    pub(crate) id: i64,
}

/// The start of the hour in which failed attempts are counted together.
pub(crate) fn hour(now: DateTime<Utc>) -> DateTime<Utc> {
    now.duration_trunc(TimeDelta::hours(1)).unwrap_or(now)
}

/// Creates pseudonyms for erased accounts. Without the key, a pseudonym cannot be traced to its account.
#[derive(Clone)]
pub(crate) struct Pseudonyms(Keys);

impl Pseudonyms {
    pub(crate) fn new(keys: &Keys) -> Self {
        Self(keys.derive("audit pseudonyms"))
    }

    /// The pseudonym for an account that is being erased.
    pub(crate) fn make(&self, profile_id: i64) -> Vec<u8> {
        cut(self.0.tag(&[&profile_id.to_string()]))
    }

    /// All possible pseudonyms of an account, one for each key that has not been removed.
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
