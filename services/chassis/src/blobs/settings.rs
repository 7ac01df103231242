//! The `[blobs]` section of the settings.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Code, Fault};

/// The `[blobs]` section.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The folder for blobs, used if `s3.bucket` is empty.
    pub folder: PathBuf,
    /// Whether every process mounts that folder. With several processes, a folder that is not shared is refused.
    pub is_shared: bool,
    /// An S3-compatible object store.
    pub s3: S3Settings,
}

/// The `[blobs.s3]` section.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct S3Settings {
    /// The bucket, which must exist. Empty: use the folder.
    pub bucket: String,
    /// The store's endpoint: `https://s3.eu-central-1.amazonaws.com`.
    pub endpoint: String,
    /// The store's region.
    pub region: String,
    /// The access key id for the store.
    pub access_key_id: String,
    /// The secret access key; may come from `blobs.s3.secret_access_key_file`.
    pub secret_access_key: String,
}

impl S3Settings {
    /// Refuses a bucket without its address and access key. `section` is the section's name in the settings.
    pub fn validate(&self, section: &str) -> Result<(), Fault> {
        if self.bucket.is_empty() {
            return Ok(());
        }
        for (key, value) in [
            ("endpoint", &self.endpoint),
            ("region", &self.region),
            ("access_key_id", &self.access_key_id),
            ("secret_access_key", &self.secret_access_key),
        ] {
            if value.is_empty() {
                let message =
                    format!("settings: {section}.{key} is missing: {section}.bucket is set");
                return Err(Fault::new(Code::Invalid, message));
            }
        }
        Ok(())
    }
}

impl Settings {
    /// Refuses invalid settings.
    pub fn validate(&self) -> Result<(), Fault> {
        self.s3.validate("blobs.s3")
    }

    /// Whether the blobs are visible only to processes on this machine or in this container.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.s3.bucket.is_empty() && !self.is_shared
    }
}
