//! Mailers, and how they refuse a letter.

use std::sync::Arc;

use async_trait::async_trait;

use super::letter::Letter;

/// Why a letter was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undelivered {
    /// The server is unreachable or takes nothing from us; the letter is not the cause.
    #[error("no mail can be sent: {0}")]
    Away(String),
    /// It is to be sent again later (SMTP, 4xx).
    #[error("later, please: {0}")]
    Later(Reply),
    /// It will never be taken (SMTP, 5xx).
    #[error("refused: {0}")]
    Refused(Reply),
}

/// A mail server's reply. Its words may name the recipient, so the log gets the code alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}")]
pub struct Reply {
    /// The SMTP code; 0 where it was not a server that refused.
    pub code: u16,
    /// The enhanced code (RFC 3463): `[5, 1, 1]` is an unknown mailbox; zeros where the server gave none.
    pub enhanced: [u8; 3],
    /// The server's words.
    pub words: String,
}

/// Takes letters.
#[async_trait]
pub trait Mailer: Send + Sync + 'static {
    /// Hands a letter over; `Ok` means that the receiver holds it safely, and is its answer. The same letter may
    /// be sent twice, if the outcome of the first attempt is unknown.
    async fn send(&self, letter: &Letter) -> Result<Reply, Undelivered>;
}

/// A mailer that is shared by all parts of a process.
pub type SharedMailer = Arc<dyn Mailer>;
