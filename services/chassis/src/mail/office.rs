//! The post office: the configured mailer and sender.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use lettre::message::Mailbox;
use uuid::Uuid;

use super::{
    address::{local, mailbox},
    content::Mail,
    dkim::Signer,
    folder::FolderMailer,
    letter::Letter,
    mailer::SharedMailer,
    settings::Settings,
    smtp::SmtpMailer,
};
use crate::error::Fault;

/// The site's mailer and its sender address.
#[derive(Clone)]
pub struct PostOffice {
    /// The sender of the site's mail.
    pub from: Mailbox,
    /// The mailer: a server or a folder.
    pub mailer: SharedMailer,
    /// Whether mail stays on this machine.
    pub is_local: bool,
    /// The maximum number of letters sent concurrently.
    pub connections: usize,
    /// Signs the site's letters, if a key is configured.
    pub signer: Option<Arc<Signer>>,
}

impl std::fmt::Debug for PostOffice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostOffice")
            .field("is_local", &self.is_local)
            .finish_non_exhaustive()
    }
}

impl PostOffice {
    /// Creates the configured post office.
    pub fn new(settings: &Settings) -> Result<Self, Fault> {
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
            connections: settings.connections.get().into(),
            signer: Signer::new(&settings.dkim)?.map(Arc::new),
        })
    }

    /// Encodes and signs a mail of the site. Encoding a mail again yields the same letter.
    ///
    /// # Errors
    /// `Invalid` for a control character in a header, or a header that mails must not set.
    pub fn write(&self, id: Uuid, mail: &Mail, at: DateTime<Utc>) -> Result<Letter, Fault> {
        let letter = Letter::write(id, &self.from, mail, at)?;
        match &self.signer {
            Some(signer) => letter.signed(signer),
            None => Ok(letter),
        }
    }
}
