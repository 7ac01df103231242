//! Links in mails. Only the owner of an address reads its mail, so a link acts for the account without a session.

use chrono::TimeDelta;
use sha2::{Digest, Sha256};

/// While the link to reset a password is younger than this, no second one is mailed: the request needs no session, so
/// anybody could fill a reader's mailbox.
pub(crate) const RESET_AGAIN_AFTER: TimeDelta = TimeDelta::minutes(5);

/// What a link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Confirms the address that it was mailed to.
    ConfirmEmail,
    /// Sets a new password.
    ResetPassword,
}

impl Purpose {
    /// The name in the database.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::ConfirmEmail => "confirm-email",
            Self::ResetPassword => "reset-password",
        }
    }

    /// How long the link works (an hour for a password: HTTP API, `reset-password`).
    pub(crate) const fn lifetime(self) -> TimeDelta {
        match self {
            Self::ConfirmEmail => TimeDelta::days(3),
            Self::ResetPassword => TimeDelta::hours(1),
        }
    }

    /// The page that the link leads to, from the site's root. The secret follows after `#`, because browsers keep that
    /// part to themselves: it is in no log and in no `Referer`.
    pub(crate) const fn page(self) -> &'static str {
        match self {
            Self::ConfirmEmail => "/accounts/confirm-email",
            Self::ResetPassword => "/accounts/reset-password",
        }
    }
}

/// The digest under which a link's secret is stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct LinkToken(Vec<u8>);

impl LinkToken {
    pub(crate) fn new(secret: &str) -> Self {
        Self(Sha256::digest(secret).to_vec())
    }

    pub(crate) fn digest(&self) -> &[u8] {
        &self.0
    }
}
