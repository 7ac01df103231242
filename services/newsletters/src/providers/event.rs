//! What providers report, and how they are told from others.

use chassis::error::{Code, Fault};
use serde::Deserialize;

/// Events of one report.
pub(super) const MAX: usize = 100;

/// Who reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Provider {
    /// Any program that signs as docs/API.md says.
    Generic,
    /// <https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/>
    Mailgun,
    /// <https://postmarkapp.com/developer/webhooks/webhooks-overview>
    Postmark,
    /// Amazon SES, through a topic of SNS: <https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html>
    Ses,
}

impl Provider {
    /// The provider of a path.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "generic" => Some(Self::Generic),
            "mailgun" => Some(Self::Mailgun),
            "postmark" => Some(Self::Postmark),
            "ses" => Some(Self::Ses),
            _ => None,
        }
    }
}

/// What has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// The address takes no mail, and never will.
    Bounced,
    /// The recipient has called the letter spam.
    Complained,
}

/// An event, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reported {
    pub(crate) email: String,
    pub(crate) event: Event,
}

/// Reads JSON of a provider.
pub(super) fn parse<T: for<'de> Deserialize<'de>>(json: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(json)
        .map_err(|_| Fault::invalid_field("events", "It is no report of this provider."))
}

/// The answer to what only pretends to come from a provider.
pub(super) fn forged() -> Fault {
    Fault::new(Code::Forbidden, "The report is not signed by its provider.")
}
