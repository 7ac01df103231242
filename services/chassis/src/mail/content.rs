//! The content of a mail.

use lettre::{Address, message::Mailbox};
use serde::{Deserialize, Serialize};

/// A mail to send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// The topic, for operators and traces: `contact`.
    pub about: String,
    /// The recipient.
    pub to: Address,
    /// The recipient of replies; the site if absent.
    #[serde(default)]
    pub reply_to: Option<Mailbox>,
    /// The envelope sender, which receives failure reports; `mail.from` if absent.
    #[serde(default)]
    pub return_path: Option<Address>,
    /// The subject, on one line.
    pub subject: String,
    /// The text; each line ends with a line feed.
    pub text: String,
    /// The text as HTML; if absent, only plain text is sent.
    #[serde(default)]
    pub html: Option<String>,
    /// Further headers, such as `List-Unsubscribe`; headers that every letter has are refused.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}
