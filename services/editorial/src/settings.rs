//! Settings of the editorial service.

use chassis::{
    error::{Code, Fault},
    mail::{self, Address, PostOffice, SiteSettings},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The settings of editorial.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The site that sends the mails.
    pub site: SiteSettings,
    /// The `[contests]` section of the settings.
    pub contests: ContestSettings,
    /// The `[contact]` section of the settings.
    pub contact: ContactSettings,
}

/// `[contact]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContactSettings {
    /// Recipient of visitors' messages to the site: `editor@guide.example`. Required if `mail.host` is set.
    pub to: String,
}

impl ContactSettings {
    /// Returns the address, or a local address if it is not set and mail remains on this machine.
    pub(crate) fn address(&self, post: &PostOffice) -> Result<Address, Fault> {
        if self.to.is_empty() && !post.is_local {
            let message = "settings: contact.to is missing: mail.host is set";
            return Err(Fault::new(Code::Invalid, message));
        }
        Ok(mail::mailbox("contact.to", &mail::local("editor", &self.to))?.email)
    }
}

/// `[contests]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContestSettings {
    /// Days after the end of a contest for which its entries, which are personal data, are kept.
    pub keep_entries_days: u32,
}

impl ContestSettings {
    /// Rejects invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        if self.keep_entries_days == 0 {
            let message = "settings: contests.keep_entries_days must be 1 or more";
            return Err(Fault::new(Code::Invalid, message));
        }
        Ok(())
    }
}
