//! The post office: the mailer that the settings choose.

use std::sync::Arc;

use lettre::message::Mailbox;

use super::{
    address::{local, mailbox},
    folder::FolderMailer,
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
    /// The server or folder that takes it.
    pub mailer: SharedMailer,
    /// Whether it stays on this machine.
    pub is_local: bool,
    /// Letters that it takes at a time.
    pub connections: usize,
}

impl std::fmt::Debug for PostOffice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostOffice")
            .field("is_local", &self.is_local)
            .finish_non_exhaustive()
    }
}

impl PostOffice {
    /// The post office that the settings describe.
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
        })
    }
}
