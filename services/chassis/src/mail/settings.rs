//! The `[mail]` section of the settings.

use std::{num::NonZeroU16, path::PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{address::mailbox, dkim};
use crate::error::{Code, Fault};

/// The encryption of a connection to a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// Starts in clear text, then switches to TLS (RFC 3207); without TLS, nothing is sent.
    Starttls,
    /// TLS from the first byte (RFC 8314).
    Tls,
    /// Clear text, for a server on this machine.
    None,
}

impl Security {
    /// The variant's name in settings.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Starttls => "starttls",
            Self::Tls => "tls",
            Self::None => "none",
        }
    }
}

/// The `[mail]` section.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The sender of the site's mail: `City Guide <post@guide.example>`. Required if `host` is set.
    pub from: String,
    /// The SMTP server. Empty: mail is written to `folder`.
    pub host: String,
    /// The server's port: usually 587 for `starttls`, 465 for `tls`, 25 for `none`.
    pub port: u16,
    /// The encryption of the connection to the server.
    pub security: Security,
    /// An additional authority for the server's certificate, besides the public ones, in PEM; may come from
    /// `mail.ca_file`.
    pub ca: String,
    /// The user name for signing in to the server. Empty: do not sign in.
    pub user: String,
    /// The password. A secret; may come from `mail.password_file`.
    pub password: String,
    /// The maximum number of connections to the server, per process.
    pub connections: NonZeroU16,
    /// The folder that mail is written to if there is no server, one `.eml` file each.
    pub folder: PathBuf,
    /// The `[mail.dkim]` section.
    pub dkim: dkim::Settings,
}

impl Settings {
    /// Refuses invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        let refuse = |what: &str| Err(Fault::new(Code::Invalid, format!("settings: {what}")));
        if !self.from.is_empty() {
            mailbox("mail.from", &self.from)?;
        } else if !self.host.is_empty() {
            return refuse("mail.from is missing: mail.host is set");
        }
        if self.user.is_empty() != self.password.is_empty() {
            return refuse("mail.user and mail.password must both be set, or neither");
        }
        if self.security == Security::None && !self.user.is_empty() {
            return refuse(
                "mail.security must be starttls or tls: a password does not go in clear",
            );
        }
        self.dkim.validate()
    }
}
