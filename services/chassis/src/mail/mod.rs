//! Mail: its content, its encoding, and its mailer: an SMTP server, or a folder if no server is configured. A service
//! queues a mail as a durable job ([`postgres::jobs`](crate::postgres::jobs)) in the transaction that causes it, and a
//! worker sends it after the commit.

mod address;
mod content;
mod dkim;
mod folder;
mod letter;
mod mailer;
mod note;
mod office;
mod queued;
mod settings;
mod site;
mod smtp;

pub use lettre::{Address, message::Mailbox};

pub use self::{
    address::{local, mailbox},
    content::Mail,
    dkim::{Settings as DkimSettings, Signer},
    folder::FolderMailer,
    letter::Letter,
    mailer::{Mailer, Reply, SharedMailer, Undelivered},
    note::Note,
    office::PostOffice,
    queued::{policy, send_queued},
    settings::{Security, Settings},
    site::{Site, SiteSettings},
    smtp::SmtpMailer,
};
