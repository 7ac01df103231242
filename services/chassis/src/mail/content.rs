//! The content of a mail.

use lettre::{Address, message::Mailbox};
use serde::{Deserialize, Serialize};

/// A mail to send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// Its subject, for operators and traces: `contact`.
    pub about: String,
    /// The recipient.
    pub to: Address,
    /// The recipient of answers; the site if absent.
    #[serde(default)]
    pub reply_to: Option<Mailbox>,
    /// The sender in the envelope, which gets the reports of failures; `mail.from` if absent.
    #[serde(default)]
    pub return_path: Option<Address>,
    /// One line.
    pub subject: String,
    /// Lines that end with a line feed.
    pub text: String,
    /// The same in HTML, for programs that show it; if absent, only the text is sent.
    #[serde(default)]
    pub html: Option<String>,
    /// Further headers, such as `List-Unsubscribe`; those that every letter has are refused.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}
