//! The section of the settings that newsletters reads.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The settings of newsletters.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `[newsletters]`.
    pub newsletters: NewsletterSettings,
    /// `site.url`, the address that readers see: links in mails lead there.
    pub site_url: String,
    /// The name by which mails call the site, unless `mail.from` has one; `None`: its host.
    pub site_name: Option<String>,
}

/// `[newsletters]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewsletterSettings {
    /// Mails within a day that ask one mailbox to confirm; further requests are kept without one.
    pub confirmations_per_day: u32,
    /// Days that evidence of a consent is kept after it was withdrawn.
    pub keep_consents_days: u32,
}

impl NewsletterSettings {
    /// Refuses invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        for (name, value) in [
            ("confirmations_per_day", self.confirmations_per_day),
            ("keep_consents_days", self.keep_consents_days),
        ] {
            if value == 0 {
                let message = format!("settings: newsletters.{name} must be 1 or more");
                return Err(Fault::new(Code::Invalid, message));
            }
        }
        Ok(())
    }

    pub(crate) fn keep_consents(&self) -> TimeDelta {
        TimeDelta::days(self.keep_consents_days.into())
    }
}
