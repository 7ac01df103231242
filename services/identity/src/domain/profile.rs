//! A reader's account.

use chassis::{email::Email, error::FieldError, form};
use chrono::{DateTime, Utc};

use super::registration::MAX_NAME;

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) id: i64,
    pub(crate) full_name: String,
    pub(crate) email: String,
    pub(crate) email_verified: bool,
    /// The address that becomes the account's once its link is used.
    pub(crate) pending_email: Option<String>,
    /// Whether saved events go to the reader's own calendar; `None` until the reader has chosen: that is not a no.
    pub(crate) calendar_sync: Option<bool>,
    /// Whether a password signs in to it; accounts that were made with a passkey have none until one is set.
    pub(crate) has_password: bool,
    pub(crate) created_at: DateTime<Utc>,
}

/// A change of a profile by its reader; what is absent stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) full_name: Option<String>,
    pub(crate) email: Option<Email>,
    pub(crate) calendar_sync: Option<bool>,
}

impl Change {
    /// Checks a change; every invalid field is named.
    pub(crate) fn parse(
        full_name: Option<&str>,
        email: Option<&str>,
        calendar_sync: Option<bool>,
    ) -> Result<Self, Vec<FieldError>> {
        let full_name = full_name.map(|text| form::line(text, MAX_NAME)).transpose();
        let email = email.map(Email::parse).transpose();
        match (full_name, email) {
            (Ok(full_name), Ok(email)) => Ok(Self {
                full_name,
                email,
                calendar_sync,
            }),
            (full_name, email) => {
                let wrong = |field, message: Option<String>| {
                    message.map(|message| FieldError::new(field, message))
                };
                let errors = [
                    wrong("full_name", full_name.err()),
                    wrong("email", email.err()),
                ];
                Err(errors.into_iter().flatten().collect())
            }
        }
    }
}

/// When a reader's saved things of one kind last changed, according to the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LastUpdate {
    pub(crate) kind: String,
    pub(crate) at: DateTime<Utc>,
}
