//! Mail: its content, its form, and its mailer: an SMTP server, or a folder where there is none. A service
//! queues a mail in the transaction that it reports
//! ([`postgres::MailQueue`](crate::postgres::MailQueue)), and sends it after the commit.

mod folder;
mod letter;
mod settings;
mod smtp;

use std::{str::FromStr, sync::Arc};

use async_trait::async_trait;
pub use lettre::{Address, message::Mailbox};

pub use self::{
    folder::FolderMailer,
    letter::Letter,
    settings::{Security, Settings},
    smtp::SmtpMailer,
};
use crate::error::{Code, Fault};

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

/// Why a letter was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undelivered {
    /// Nobody is there, or takes anything from us: it has nothing to do with this letter.
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
    /// The server's words.
    pub words: String,
}

/// Takes letters.
#[async_trait]
pub trait Mailer: Send + Sync + 'static {
    /// Hands a letter over; `Ok` means that somebody else holds it safely. The same letter may come
    /// twice, where it is not known what became of it.
    async fn send(&self, letter: &Letter) -> Result<(), Undelivered>;
}

/// A mailer that is shared by all parts of a process.
pub type SharedMailer = Arc<dyn Mailer>;

/// The site's mailer and its sender address.
#[derive(Clone)]
pub struct PostOffice {
    /// Where the site's mail comes from.
    pub from: Mailbox,
    /// Who takes it.
    pub mailer: SharedMailer,
    /// Whether it stays on this machine.
    pub is_local: bool,
}

impl std::fmt::Debug for PostOffice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostOffice")
            .field("is_local", &self.is_local)
            .finish_non_exhaustive()
    }
}

impl PostOffice {
    /// The one that the settings name.
    pub fn of(settings: &Settings) -> Result<Self, Fault> {
        settings.validate()?;
        let is_local = settings.host.is_empty();
        let (from, mailer): (_, SharedMailer) = if is_local {
            let mailer = FolderMailer::new(&settings.folder);
            (local("no-reply", &settings.from), Arc::new(mailer))
        } else {
            (settings.from.clone(), Arc::new(SmtpMailer::new(settings)?))
        };
        Ok(Self {
            from: mailbox("mail.from", &from)?,
            mailer,
            is_local,
        })
    }
}

/// A setting's address, or, if it is empty, one of this machine, for mail that stays here.
#[must_use]
pub fn local(name: &str, setting: &str) -> String {
    if setting.is_empty() {
        format!("{name}@localhost")
    } else {
        setting.to_owned()
    }
}

/// The address that a setting holds, with a name or without: `City Guide <post@guide.example>`.
pub fn mailbox(key: &str, setting: &str) -> Result<Mailbox, Fault> {
    Mailbox::from_str(setting).map_err(|error| {
        let message = format!("settings: {key} {setting:?} is no address: {error}");
        Fault::new(Code::Invalid, message)
    })
}
