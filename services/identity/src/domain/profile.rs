//! A reader's account.

use chassis::{email::Email, error::FieldError, form};
use chrono::{DateTime, Utc};

use super::registration::MAX_NAME;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Profile {
    pub(crate) id: i64,
    pub(crate) full_name: String,
    pub(crate) email: String,
    pub(crate) email_verified: bool,
    /// The address that replaces the current one when its link is used.
    pub(crate) pending_email: Option<String>,
    /// Whether saved events are written to the reader's calendar; `None` if the reader has not chosen yet.
    pub(crate) calendar_sync: Option<bool>,
    /// Whether the account has a password; an account created with a passkey has no password until the reader sets one.
    pub(crate) has_password: bool,
    pub(crate) created_at: DateTime<Utc>,
}

/// A change to a profile by its reader; absent fields are unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) full_name: Option<String>,
    pub(crate) email: Option<Email>,
    pub(crate) calendar_sync: Option<bool>,
}

impl Change {
    /// Validates a change; the errors name all invalid fields.
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

/// When a reader's saved items of a kind last changed, according to the bus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LastUpdate {
    pub(crate) kind: String,
    pub(crate) at: DateTime<Utc>,
}
