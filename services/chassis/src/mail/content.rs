//! A mail before it is written.

use lettre::{Address, message::Mailbox};
use serde::{Deserialize, Serialize};

/// Something to be mailed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// Its subject, for operators and traces: `contact`.
    pub about: String,
    /// The recipient.
    pub to: Address,
    /// The recipient of answers; the site where absent.
    #[serde(default)]
    pub reply_to: Option<Mailbox>,
    /// One line.
    pub subject: String,
    /// Lines that end with a line feed.
    pub text: String,
    /// The same in HTML, for programs that show it; the text alone is sent where absent.
    #[serde(default)]
    pub html: Option<String>,
    /// Further headers, as `List-Unsubscribe`; none of those that a letter has anyway.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}
