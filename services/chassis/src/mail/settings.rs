//! `[mail]` of the settings.

use std::{num::NonZeroU16, path::PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{address::mailbox, dkim};
use crate::error::{Code, Fault};

/// The encryption of the connection to a mail server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// In clear at first, then TLS (RFC 3207); without it nothing is sent.
    Starttls,
    /// TLS from the first byte (RFC 8314).
    Tls,
    /// In clear: for a server on this machine.
    None,
}

impl Security {
    /// The name in settings.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Starttls => "starttls",
            Self::Tls => "tls",
            Self::None => "none",
        }
    }
}

/// `[mail]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The sender of the site's mail: `City Guide <post@guide.example>`. Required if `host` is set.
    pub from: String,
    /// The SMTP server. Empty: mail is written to `folder`.
    pub host: String,
    /// Its port: mostly 587 with starttls, 465 with tls, 25 without.
    pub port: u16,
    /// The encryption of the connection.
    pub security: Security,
    /// An authority that may have signed its certificate, besides the public ones, in PEM; may come from
    /// `mail.ca_file`.
    pub ca: String,
    /// The account that signs in there. Empty: none.
    pub user: String,
    /// A secret; may come from `mail.password_file`.
    pub password: String,
    /// Parallel connections to it, per process.
    pub connections: NonZeroU16,
    /// The folder that mail is written to if there is no server, one file (`.eml`) each.
    pub folder: PathBuf,
    /// `[mail.dkim]`.
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
