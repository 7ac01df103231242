//! The identity service's settings.

use chassis::{
    error::{Code, Fault},
    mail::SiteSettings,
};
use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::register::RegisterSettings;

/// The memory needed to hash one password, in bytes: 19 MiB, as OWASP recommends for Argon2id.
pub(crate) const BYTES_PER_HASH: u64 = 19 << 20;

/// The identity service's settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The `[audit]` section of the settings.
    pub audit: AuditSettings,
    /// The `[passwords]` section of the settings.
    pub passwords: PasswordSettings,
    /// The site that sends the mails.
    pub site: SiteSettings,
    /// The `[calendar]` section of the settings.
    pub calendar: CalendarSettings,
    /// The `[facebook]` section of the settings.
    pub facebook: FacebookSettings,
    /// The `[erasures]` section of the settings.
    pub erasures: RegisterSettings,
}

/// The `[facebook]` section of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FacebookSettings {
    /// The app's id, as shown in Facebook's dashboard. Empty: readers cannot log in with Facebook.
    #[serde(deserialize_with = "text_or_number")]
    pub app_id: String,
    /// The app's secret; may come from `facebook.app_secret_file`.
    pub app_secret: String,
    /// The page on which a person confirms the log-in.
    pub dialog_url: String,
    /// The root of the Graph API.
    pub graph_url: String,
}

/// Accepts a text or a number: an app id consists of digits, so the value of an environment variable is parsed as a
/// number.
fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Number(u64),
        Text(String),
    }
    Ok(match Either::deserialize(deserializer)? {
        Either::Number(number) => number.to_string(),
        Either::Text(text) => text,
    })
}

impl FacebookSettings {
    /// Whether readers can log in with Facebook.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        !self.app_id.is_empty()
    }

    /// Refuses an incomplete configuration. The secret may be missing, as in [`CalendarSettings::validate`].
    pub fn validate(&self) -> Result<(), Fault> {
        let name = "facebook";
        if !self.is_configured() && !self.app_secret.is_empty() {
            return Err(refusal(name, "app_id is missing: app_secret is set"));
        }
        check_urls(
            name,
            &[
                ("dialog_url", &self.dialog_url),
                ("graph_url", &self.graph_url),
            ],
        )
    }

    /// Refuses an app without its secret.
    pub(crate) fn require_secret(&self) -> Result<(), Fault> {
        if self.app_secret.is_empty() {
            return Err(refusal("facebook", "app_secret is missing: app_id is set"));
        }
        Ok(())
    }
}

fn refusal(section: &str, why: &str) -> Fault {
    Fault::new(Code::Invalid, format!("settings: {section}.{why}"))
}

/// Refuses invalid addresses.
fn check_urls(section: &str, urls: &[(&str, &str)]) -> Result<(), Fault> {
    for (key, url) in urls {
        let is_address = url.starts_with("https://") || url.starts_with("http://");
        if !is_address || url.contains(['?', '#']) {
            let why = format!("{key} must be an http(s) address without a query");
            return Err(refusal(section, &why));
        }
    }
    Ok(())
}

/// The `[calendar]` section of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalendarSettings {
    /// Calendars at Google.
    pub google: GoogleSettings,
}

/// The `[calendar.google]` section of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GoogleSettings {
    /// The OAuth client's id, as shown in Google's console. Empty: the site has no calendars.
    pub client_id: String,
    /// The OAuth client's secret; may come from `calendar.google.client_secret_file`.
    pub client_secret: String,
    /// The page that asks for the reader's consent.
    pub authorization_url: String,
    /// The endpoint that issues tokens.
    pub token_url: String,
    /// The endpoint that revokes tokens.
    pub revocation_url: String,
    /// The root of the Calendar API.
    pub api_url: String,
}

impl CalendarSettings {
    /// Whether the site can write to readers' calendars.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        !self.google.client_id.is_empty()
    }

    /// Refuses an incomplete configuration. The secret may be missing: only identity's process needs it, and checks it
    /// with `GoogleSettings::require_secret`.
    pub fn validate(&self) -> Result<(), Fault> {
        let (name, google) = ("calendar.google", &self.google);
        if google.client_id.is_empty() && !google.client_secret.is_empty() {
            return Err(refusal(name, "client_id is missing: client_secret is set"));
        }
        check_urls(
            name,
            &[
                ("authorization_url", &google.authorization_url),
                ("token_url", &google.token_url),
                ("revocation_url", &google.revocation_url),
                ("api_url", &google.api_url),
            ],
        )
    }
}

impl GoogleSettings {
    /// Refuses a client without its secret.
    pub(crate) fn require_secret(&self) -> Result<(), Fault> {
        if self.client_secret.is_empty() {
            let why = "client_secret is missing: client_id is set";
            return Err(refusal("calendar.google", why));
        }
        Ok(())
    }
}

/// The `[audit]` section of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditSettings {
    /// The retention period of audit log entries, in days.
    pub keep_days: u16,
}

impl AuditSettings {
    /// Refuses a retention period of 0.
    pub fn validate(&self) -> Result<(), Fault> {
        if self.keep_days == 0 {
            let message = "settings: audit.keep_days must be 1 or more";
            return Err(Fault::new(Code::Invalid, message));
        }
        Ok(())
    }

    /// The retention period of entries.
    pub(crate) fn kept(&self) -> TimeDelta {
        TimeDelta::days(i64::from(self.keep_days))
    }
}

/// The `[passwords]` section of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordSettings {
    /// The maximum number of passwords hashed concurrently. 0: the number of cores.
    pub max_threads: usize,
    /// The maximum total memory for hashing, in bytes; each password takes 19 MiB while it is hashed.
    pub max_memory_bytes: u64,
}

impl PasswordSettings {
    /// Refuses settings with too little memory to hash a password.
    pub fn validate(&self) -> Result<(), Fault> {
        if self.max_memory_bytes < BYTES_PER_HASH {
            let message = format!(
                "settings: passwords.max_memory_bytes must be {BYTES_PER_HASH} or more: hashing takes as much"
            );
            return Err(Fault::new(Code::Invalid, message));
        }
        Ok(())
    }

    /// The number of passwords hashed concurrently on a machine with this many cores.
    pub(crate) fn threads(&self, cores: usize) -> usize {
        let wanted = if self.max_threads == 0 {
            cores
        } else {
            self.max_threads
        };
        let fit = usize::try_from(self.max_memory_bytes / BYTES_PER_HASH).unwrap_or(usize::MAX);
        wanted.min(fit).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(max_threads: usize, hashes: u64) -> PasswordSettings {
        PasswordSettings {
            max_threads,
            max_memory_bytes: hashes * BYTES_PER_HASH,
        }
    }

    #[test]
    fn half_a_configuration_of_calendars_is_refused() {
        let google = |client_id: &str, client_secret: &str, token_url: &str| CalendarSettings {
            google: GoogleSettings {
                client_id: client_id.to_owned(),
                client_secret: client_secret.to_owned(),
                authorization_url: "https://google.test/auth".to_owned(),
                token_url: token_url.to_owned(),
                revocation_url: "https://google.test/revoke".to_owned(),
                api_url: "https://google.test".to_owned(),
            },
        };
        let address = "https://google.test/token";
        google("", "", address).validate().expect("none");
        assert!(!google("", "", address).is_configured());
        google("id", "secret", address).validate().expect("whole");
        let without_secret = google("id", "", address);
        without_secret.validate().expect("that of the gateway");
        without_secret
            .google
            .require_secret()
            .expect_err("that of identity");
        assert!(google("id", "secret", address).is_configured());
        for half in [
            google("", "secret", address),
            google("id", "secret", ""),
            google("id", "secret", "https://google.test/token?a=b"),
        ] {
            half.validate().expect_err("half");
        }
    }

    #[test]
    fn half_a_configuration_of_facebook_is_refused() {
        let facebook = |app_id: &str, app_secret: &str, graph_url: &str| FacebookSettings {
            app_id: app_id.to_owned(),
            app_secret: app_secret.to_owned(),
            dialog_url: "https://facebook.test/dialog/oauth".to_owned(),
            graph_url: graph_url.to_owned(),
        };
        let address = "https://graph.test/v1";
        for (id, secret, is_configured) in [("", "", false), ("id", "secret", true)] {
            let whole = facebook(id, secret, address);
            whole.validate().expect("whole");
            assert_eq!(whole.is_configured(), is_configured);
        }
        let without_secret = facebook("id", "", address);
        without_secret.validate().expect("that of the gateway");
        without_secret
            .require_secret()
            .expect_err("that of identity");
        for half in [
            facebook("", "secret", address),
            facebook("id", "secret", ""),
        ] {
            half.validate().expect_err("half");
        }
    }

    #[test]
    fn hashing_takes_no_more_than_the_cores_the_setting_and_the_memory_allow() {
        assert_eq!(settings(0, 100).threads(8), 8);
        assert_eq!(settings(3, 100).threads(8), 3);
        assert_eq!(settings(0, 2).threads(8), 2);
        assert_eq!(settings(5, 2).threads(8), 2);
        settings(0, 1).validate().expect("one fits");
        settings(0, 0).validate().expect_err("none fits");
    }
}
