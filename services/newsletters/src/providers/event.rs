//! Delivery events of mail providers.

use chassis::error::{Code, Fault};
use serde::Deserialize;

/// Maximum number of events in a report.
pub(super) const MAX: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Provider {
    /// Any program that signs as described in docs/API.md.
    Generic,
    /// <https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/>
    Mailgun,
    /// <https://postmarkapp.com/developer/webhooks/webhooks-overview>
    Postmark,
    /// Amazon SES, through an SNS topic: <https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html>
    Ses,
}

impl Provider {
    /// Returns the provider with this name, which is part of the webhook's path.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// The address is permanently undeliverable.
    Bounced,
    /// The recipient has reported an email as spam.
    Complained,
}

/// An event with its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reported {
    pub(crate) email: String,
    pub(crate) event: Event,
}

/// Parses a provider's JSON.
pub(super) fn parse<T: for<'de> Deserialize<'de>>(json: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(json)
        .map_err(|_| Fault::invalid_field("events", "It is no report of this provider."))
}

/// Error for a report without a valid signature.
pub(super) fn forged() -> Fault {
    Fault::new(Code::Forbidden, "The report is not signed by its provider.")
}
