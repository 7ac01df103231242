//! The `[backup]` section of the settings.

use std::path::PathBuf;

use chassis::{
    blobs::{self, Blobs, S3Settings},
    error::{Code, Fault},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sealing::Recipients;

/// `[backup]` of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BackupSettings {
    /// Folder for backups, used if `s3.bucket` is empty. Empty: no backups.
    pub folder: PathBuf,
    /// Object store for backups. Each site needs its own bucket.
    pub s3: S3Settings,
    /// Public keys of age (`age1…`) for which backups are encrypted. The machine that makes backups needs no private key.
    pub recipients: Vec<String>,
    /// Number of backups to keep.
    pub keep: usize,
}

impl BackupSettings {
    /// Refuses incomplete settings.
    pub(crate) fn validate(&self) -> Result<(), Fault> {
        self.s3.validate("backup.s3")?;
        if self.keep == 0 {
            return Err(refusal("backup.keep must be 1 or more"));
        }
        Recipients::parse(&self.recipients).map(drop)
    }

    /// Whether there is a place for backups.
    pub(crate) fn is_configured(&self) -> bool {
        !self.s3.bucket.is_empty() || !self.folder.as_os_str().is_empty()
    }

    /// Opens the store of backups.
    pub(super) fn open(&self) -> Result<Blobs, Fault> {
        if !self.is_configured() {
            return Err(refusal("backup.folder or backup.s3.bucket is missing"));
        }
        Blobs::open(&blobs::Settings {
            folder: self.folder.clone(),
            is_shared: true,
            s3: self.s3.clone(),
        })
    }
}

fn refusal(why: &str) -> Fault {
    Fault::new(Code::Invalid, format!("settings: {why}"))
}
