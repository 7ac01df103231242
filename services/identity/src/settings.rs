//! The section of the settings that identity reads.

use chassis::error::{Code, Fault};
use chrono::TimeDelta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Memory that hashing one password takes, in bytes: 19 MiB, OWASP's recommendation for Argon2id.
pub(crate) const BYTES_PER_HASH: u64 = 19 << 20;

/// The settings of identity.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The audit log.
    pub audit: AuditSettings,
    /// Passwords.
    pub passwords: PasswordSettings,
    /// `site.url`, the address that readers see: links in mails lead there.
    pub site_url: String,
    /// The name by which letters call the site, unless `mail.from` has one; `None`: its host.
    pub site_name: Option<String>,
}

/// `[audit]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditSettings {
    /// Days that entries of the audit log are kept.
    pub keep_days: u16,
}

impl AuditSettings {
    /// Refuses a log that keeps nothing.
    pub fn validate(&self) -> Result<(), Fault> {
        if self.keep_days == 0 {
            let message = "settings: audit.keep_days must be 1 or more";
            return Err(Fault::new(Code::Invalid, message));
        }
        Ok(())
    }

    /// How long entries are kept.
    pub(crate) fn kept(&self) -> TimeDelta {
        TimeDelta::days(i64::from(self.keep_days))
    }
}

/// `[passwords]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordSettings {
    /// Passwords that are hashed at a time. 0: as many as the process has cores.
    pub max_threads: usize,
    /// Bytes that hashing may take in all; each password takes 19 MiB while it is hashed.
    pub max_memory_bytes: u64,
}

impl PasswordSettings {
    /// Refuses settings under which no password could be hashed.
    pub fn validate(&self) -> Result<(), Fault> {
        if self.max_memory_bytes < BYTES_PER_HASH {
            let message = format!(
                "settings: passwords.max_memory_bytes must be {BYTES_PER_HASH} or more: hashing takes as much"
            );
            return Err(Fault::new(Code::Invalid, message));
        }
        Ok(())
    }

    /// Passwords to hash at a time on a machine with this many cores.
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
    fn hashing_takes_no_more_than_the_cores_the_setting_and_the_memory_allow() {
        assert_eq!(settings(0, 100).threads(8), 8);
        assert_eq!(settings(3, 100).threads(8), 3);
        assert_eq!(settings(0, 2).threads(8), 2);
        assert_eq!(settings(5, 2).threads(8), 2);
        settings(0, 1).validate().expect("one fits");
        settings(0, 0).validate().expect_err("none fits");
    }
}
