//! The site as the sender of its mails.

use super::PostOffice;
use crate::{error::Fault, origin::Origin};

/// The colour of links and buttons of a site whose file the process does not have.
const COLOR: &str = "#1f5fbf";

/// The site's name, address and colour, as configured.
#[derive(Debug, Clone)]
pub struct SiteSettings {
    /// The address: `https://guide.example`.
    pub url: String,
    /// The name in the site's file, if the process has one.
    pub name: Option<String>,
    /// The accent colour in the site's file, if the process has one: `#b3201f`.
    pub color: Option<&'static str>,
}

/// The site that sends mails.
#[derive(Debug, Clone)]
pub struct Site {
    /// The site's name.
    pub name: String,
    /// The site's origin.
    pub origin: Origin,
    /// The colour of links and buttons, on which white text is legible.
    pub color: &'static str,
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
        let color = settings.color.unwrap_or(COLOR);
        Ok(Self {
            name,
            origin,
            color,
        })
    }

    /// The address of a page.
    #[must_use]
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.origin.as_str())
    }
}
