//! A mail before it is written.

use lettre::{Address, message::Mailbox};

/// Something to be mailed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// Its subject, for operators and metrics: `contact`.
    pub kind: &'static str,
    /// Who gets it.
    pub to: Address,
    /// Who gets the answers; the site where absent.
    pub reply_to: Option<Mailbox>,
    /// One line.
    pub subject: String,
    /// Lines that end with a line feed.
    pub text: String,
}
