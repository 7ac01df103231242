//! Access to an account, apart from its sessions.

use super::{CalendarFeed, Connection, Grant, Passkey};

/// The sign-in methods and grants of an account.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub(crate) has_password: bool,
    /// Newest first.
    pub(crate) passkeys: Vec<Passkey>,
    /// The connection with Facebook.
    pub(crate) facebook: Option<Connection>,
    /// The grant with which the site writes to the reader's calendar.
    pub(crate) calendar: Option<Grant>,
    pub(crate) calendar_feed: Option<CalendarFeed>,
}

/// Decision about the sign-in methods of an account whose address is confirmed by its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AccessChoice {
    Keep,
    /// All sign-in methods end, because somebody else created the account.
    End,
}

impl Access {
    /// The remaining sign-in methods apart from the password, for a mail: "2 passkeys", "Facebook", "your calendar".
    pub(crate) fn listed(&self) -> Vec<String> {
        let passkeys = match self.passkeys.len() {
            0 => None,
            1 => Some("1 passkey".to_owned()),
            number => Some(format!("{number} passkeys")),
        };
        let facebook = self.facebook.as_ref().map(|_| "Facebook".to_owned());
        let calendar = self.calendar.as_ref().map(|_| "your calendar".to_owned());
        passkeys
            .into_iter()
            .chain(facebook)
            .chain(calendar)
            .collect()
    }
}
