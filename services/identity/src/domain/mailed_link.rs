//! Links in mails. Only the owner of an address reads its mail, so a link authorises an action without a session.

use chrono::TimeDelta;
use sha2::{Digest, Sha256};

/// The minimum age of a password reset link before another is mailed: the request needs no session, so anyone could
/// otherwise fill a reader's mailbox.
pub(crate) const RESET_AGAIN_AFTER: TimeDelta = TimeDelta::minutes(5);

/// The maximum number of an account's links with the same purpose: the number of password reset links that can be mailed
/// during the lifetime of one, so that no stranger can invalidate another person's link by requesting more. The first links
/// that undo a change of address are kept, so that no thief can invalidate them by further changes.
pub(crate) const MAX_LINKS: i64 = 12;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Confirms the address to which it was mailed.
    ConfirmEmail,
    /// Sets a new password.
    ResetPassword,
    /// Restores the address to which it was mailed, which another address has replaced, and sets a new password.
    UndoEmail,
}

impl Purpose {
    /// The purpose's name in the database.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::ConfirmEmail => "confirm-email",
            Self::ResetPassword => "reset-password",
            Self::UndoEmail => "undo-email",
        }
    }

    /// How long the link is valid.
    pub(crate) const fn lifetime(self) -> TimeDelta {
        match self {
            Self::ConfirmEmail => TimeDelta::days(3),
            Self::ResetPassword => TimeDelta::hours(1),
            Self::UndoEmail => TimeDelta::days(7),
        }
    }

    /// The path of the page that the link opens. The secret follows after `#`, because browsers do not send that part:
    /// it appears in no log and no `Referer`.
    pub(crate) const fn page(self) -> &'static str {
        match self {
            Self::ConfirmEmail => "/accounts/confirm-email",
            Self::ResetPassword => "/accounts/reset-password",
            // Restoring an address sets a new password too: somebody else may know the old one.
            Self::UndoEmail => "/accounts/reset-password?undo",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_reset_link_is_invalidated_by_later_ones() {
        let mailed =
            Purpose::ResetPassword.lifetime().num_minutes() / RESET_AGAIN_AFTER.num_minutes();
        assert!(mailed <= MAX_LINKS, "{mailed}");
    }
}
