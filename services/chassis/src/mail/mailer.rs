//! The mailer interface and its errors.

use std::sync::Arc;

use async_trait::async_trait;

use super::letter::Letter;

/// The reason that a letter was not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undelivered {
    /// The server is unreachable or accepts no mail from this site; the letter is not the cause.
    #[error("no mail can be sent: {0}")]
    Away(String),
    /// A temporary failure of this letter; retry later (SMTP, 4xx). Without a code, its delivery was interrupted or took
    /// too long while the server accepted others.
    #[error("later, please: {0}")]
    Later(Reply),
    /// A permanent failure (SMTP, 5xx).
    #[error("refused: {0}")]
    Refused(Reply),
}

/// A mail server's reply. Its text may name the recipient, so only the code is logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}")]
pub struct Reply {
    /// The SMTP code; 0 if no server has replied.
    pub code: u16,
    /// The enhanced code (RFC 3463): `[5, 1, 1]` is an unknown mailbox; zeros if the server sent none.
    pub enhanced: [u8; 3],
    /// The text of the reply.
    pub words: String,
}

impl Reply {
    /// The reply for a letter that no server has replied to, for this reason.
    #[must_use]
    pub fn none(why: &str) -> Self {
        Self {
            code: 0,
            enhanced: [0; 3],
            words: why.to_owned(),
        }
    }
}

/// Sends letters.
#[async_trait]
pub trait Mailer: Send + Sync + 'static {
    /// Sends a letter. `Ok` contains the receiver's reply and means that it has stored the letter. A letter may be sent
    /// twice if the outcome of the first attempt is unknown.
    async fn send(&self, letter: &Letter) -> Result<Reply, Undelivered>;
}

/// A mailer shared by all parts of a process.
pub type SharedMailer = Arc<dyn Mailer>;
