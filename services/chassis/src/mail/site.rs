//! The site as the sender of its mails.

use super::{Mail, Note, PostOffice};
use crate::{error::Fault, origin::Origin};

/// The site's name and address, as configured.
#[derive(Debug, Clone)]
pub struct SiteSettings {
    /// The address: `https://guide.example`.
    pub url: String,
    /// The name in the site's file, if the process has one.
    pub name: Option<String>,
}

/// The site that sends mails.
#[derive(Debug, Clone)]
pub struct Site {
    /// The site's name.
    pub name: String,
    /// The site's origin.
    pub origin: Origin,
}

impl Site {
    /// The site, named like its sender address, its file or its host, in this order.
    ///
    /// # Errors
    ///
    /// [`Code::Invalid`](crate::error::Code::Invalid) if the address is not an origin.
    pub fn new(settings: &SiteSettings, post: &PostOffice) -> Result<Self, Fault> {
        let origin = Origin::parse(&settings.url)?;
        let name = post.from.name.as_ref().or(settings.name.as_ref());
        let name = name.map_or(origin.host(), String::as_str).to_owned();
        Ok(Self { name, origin })
    }

    /// The address of a page.
    #[must_use]
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.origin.as_str())
    }

    /// The mail with this content to an address; `None` if the address is not valid for mail.
    #[must_use]
    pub fn write(&self, to: &str, note: Note) -> Option<Mail> {
        note.mail(&self.name, &self.origin, to)
    }
}
