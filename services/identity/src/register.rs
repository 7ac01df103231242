//! The register of erasures: the numbers of erased accounts, stored outside of the database, so that a restore of an older
//! backup repeats the erasures. An entry identifies no person once the account is deleted.

use std::path::PathBuf;

use chassis::{
    blobs::{self, Blobs, S3Settings},
    digest,
    error::{Code, Fault},
    instant,
    keys::Keys,
};
use chrono::{DateTime, TimeDelta, Utc};
use futures::TryStreamExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The folder of entries in their store.
const FOLDER: &str = "erasures";
/// Entries that are this much older than a backup are repeated too: the clocks of machines differ, and an erasure may be
/// committed a while after its instant. A repeated erasure changes nothing.
const MARGIN: TimeDelta = TimeDelta::minutes(10);

/// The `[erasures]` section of the settings.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterSettings {
    /// The folder of the register, used if `s3.bucket` is empty. Both empty: there is no register.
    pub folder: PathBuf,
    /// An object store for the register.
    pub s3: S3Settings,
}

impl RegisterSettings {
    /// Refuses incomplete settings.
    pub fn validate(&self) -> Result<(), Fault> {
        self.s3.validate("erasures.s3")
    }

    /// Whether there is a register.
    #[must_use]
    pub fn is_configured(&self) -> bool {
        !self.s3.bucket.is_empty() || !self.folder.as_os_str().is_empty()
    }
}

/// An erasure in the register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredErasure {
    /// The erasure's id.
    pub erasure_id: Uuid,
    /// The number of the erased account.
    pub profile_id: i64,
    /// When the reader requested the erasure.
    pub requested_at: DateTime<Utc>,
}

/// An entry as stored. The tag prevents that others have accounts erased by a restore.
#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    erasure: RegisteredErasure,
    tag: String,
}

/// The register of erasures.
#[derive(Debug, Clone)]
pub struct Register {
    store: Blobs,
    keys: Keys,
}

impl Register {
    /// Opens the configured register; `None` without a register. The site's keys sign its entries.
    pub fn open(settings: &RegisterSettings, keys: &Keys) -> Result<Option<Self>, Fault> {
        if !settings.is_configured() {
            return Ok(None);
        }
        let store = Blobs::open(&blobs::Settings {
            folder: settings.folder.clone(),
            is_shared: true,
            s3: settings.s3.clone(),
        })?;
        let keys = keys.derive("register of erasures");
        Ok(Some(Self { store, keys }))
    }

    /// Adds an erasure. Adding it again changes nothing.
    pub async fn record(&self, erasure: &RegisteredErasure) -> Result<(), Fault> {
        let parts = parts(erasure);
        let entry = Entry {
            erasure: erasure.clone(),
            tag: digest::text(&self.keys.tag(&parts.each_ref().map(String::as_str))),
        };
        let text = serde_json::to_string(&entry).map_err(|error| {
            let message = format!("an erasure cannot be written as JSON: {error}");
            Fault::new(Code::Internal, message)
        })?;
        self.store.keep(&place(erasure), text.into()).await
    }

    /// The erasures that a backup of this instant may lack. An entry that this site has not signed is refused.
    pub async fn since(&self, backup: DateTime<Utc>) -> Result<Vec<RegisteredErasure>, Fault> {
        let from = name(backup - MARGIN);
        let mut found = Vec::new();
        let mut list = self.store.list(FOLDER);
        while let Some(listed) = list.try_next().await? {
            if file(&listed.key) < from.as_str() {
                continue;
            }
            if let Some(content) = self.store.read(&listed.key, None).await? {
                let content = content.collect().await?;
                found.push(self.parse(&listed.key, &content)?);
            }
        }
        Ok(found)
    }

    fn parse(&self, key: &str, content: &[u8]) -> Result<RegisteredErasure, Fault> {
        let refuse = |why: &str| Fault::new(Code::Invalid, format!("{key} {why}"));
        let entry: Entry = serde_json::from_slice(content)
            .map_err(|error| refuse(&format!("is damaged: {error}")))?;
        let parts = parts(&entry.erasure);
        let mut tags = self
            .keys
            .tags(&parts.each_ref().map(String::as_str))
            .map(|tag| digest::text(&tag))
            .collect::<Vec<_>>()
            .into_iter();
        if tags.any(|tag| tag == entry.tag) {
            Ok(entry.erasure)
        } else {
            Err(refuse("was not written by this site"))
        }
    }

    /// Deletes the entries that no backup since this instant lacks; returns how many.
    pub async fn forget(&self, oldest_backup: DateTime<Utc>) -> Result<u64, Fault> {
        let before = name(oldest_backup - MARGIN * 2);
        let mut deleted = 0;
        let mut list = self.store.list(FOLDER);
        while let Some(listed) = list.try_next().await? {
            if file(&listed.key) < before.as_str() {
                self.store.delete(&listed.key).await?;
                deleted += 1;
            }
        }
        Ok(deleted)
    }
}

/// The signed texts of an entry.
fn parts(erasure: &RegisteredErasure) -> [String; 3] {
    [
        erasure.erasure_id.to_string(),
        erasure.profile_id.to_string(),
        instant::to_rfc3339(erasure.requested_at),
    ]
}

/// The beginning of an entry's name: names are in the order of time.
fn name(at: DateTime<Utc>) -> String {
    at.format("%Y%m%dT%H%M%S%3fZ").to_string()
}

fn place(erasure: &RegisteredErasure) -> String {
    let name = name(erasure.requested_at);
    format!("{FOLDER}/{name}-{}", erasure.erasure_id)
}

fn file(key: &str) -> &str {
    key.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn erasures_since_a_backup_are_found_until_no_backup_lacks_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = RegisterSettings {
            folder: folder.path().into(),
            s3: S3Settings::default(),
        };
        let keys = Keys::one(&[7; 32]);
        let register = Register::open(&settings, &keys)
            .expect("opens")
            .expect("a register");
        let at = |minute| DateTime::UNIX_EPOCH + TimeDelta::minutes(minute);
        let erasure = |profile_id: i64| RegisteredErasure {
            erasure_id: Uuid::from_u128(profile_id.unsigned_abs().into()),
            profile_id,
            requested_at: at(profile_id),
        };
        for minute in [100, 200, 300, 300] {
            register.record(&erasure(minute)).await.expect("recorded");
        }
        let since = async |minute| {
            let found = register.since(at(minute)).await.expect("reads");
            let mut found: Vec<_> = found.iter().map(|one| one.profile_id).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(since(0).await, [100, 200, 300]);
        assert_eq!(since(205).await, [200, 300], "clocks may differ");
        assert_eq!(since(250).await, [300]);
        assert_eq!(register.forget(at(250)).await, Ok(2));
        assert_eq!(since(0).await, [300]);

        let other = Keys::one(&[8; 32]);
        let other = Register::open(&settings, &other)
            .expect("opens")
            .expect("a register");
        let refused = other.since(at(0)).await.expect_err("another key");
        assert!(
            refused.message.contains("was not written by this site"),
            "{refused}"
        );
    }
}
