//! The list of a backup's contents, which is written last: a backup without it is incomplete and ignored.

use std::collections::BTreeMap;

use chassis::{
    blobs::Blobs,
    digest,
    error::{Code, Fault},
    keys::Keys,
};
use chrono::{DateTime, NaiveDate, Utc};
use futures::TryStreamExt;
use serde::{Deserialize, Serialize};

use super::parts::Part;

/// The folder of backups in their store.
pub(super) const FOLDER: &str = "backups";
/// The version of the format, which changes if an earlier program cannot read it.
pub(super) const FORMAT: u32 = 1;
const FILE: &str = "manifest.json";
const TAG: &str = "manifest.tag";

/// The contents of a backup.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: u32,
    /// The version of the program.
    pub(crate) program: String,
    /// The site's address.
    pub(crate) site: String,
    /// The instant of the database's snapshot, by PostgreSQL's clock.
    pub(crate) at: DateTime<Utc>,
    /// Empty in a backup without the database.
    pub(crate) schemas: Vec<SchemaCopy>,
    pub(crate) blobs: BlobList,
    /// The site's file and the files beside it that it names.
    pub(crate) files: Vec<FileCopy>,
    /// Fingerprints of the keys in `internal.key`, the signing key first.
    pub(crate) keys: Vec<String>,
    /// The public keys for which the backup is encrypted.
    pub(crate) recipients: Vec<String>,
}

/// A service's schema.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SchemaCopy {
    pub(crate) name: String,
    /// The versions of its migrations.
    pub(crate) versions: Vec<i64>,
    /// Each table follows the tables that its foreign keys reference.
    pub(crate) tables: Vec<TableCopy>,
    /// The last values of sequences. A sequence without one has not been used.
    pub(crate) sequences: BTreeMap<String, i64>,
}

/// A table, in PostgreSQL's text format for `COPY`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TableCopy {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    /// The days of the partitions, if the table has some.
    pub(crate) days: Vec<NaiveDate>,
    pub(crate) rows: u64,
    pub(crate) part: Part,
}

/// The list of the encrypted blobs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct BlobList {
    pub(crate) count: usize,
    /// The size of the blobs before encryption, in bytes.
    pub(crate) bytes: u64,
    pub(crate) part: Part,
}

/// A file of the site's settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FileCopy {
    pub(crate) name: String,
    pub(crate) part: Part,
}

/// The name of a backup: the instant of its snapshot.
pub(super) fn id_of(at: DateTime<Utc>) -> String {
    at.format("%Y%m%dT%H%M%S%3fZ").to_string()
}

/// The key of a backup's part.
pub(super) fn key_of(id: &str, part: &str) -> String {
    format!("{FOLDER}/{id}/{part}")
}

/// The fingerprints of keys, which reveal nothing about them.
pub(super) fn fingerprints(keys: &Keys) -> Vec<String> {
    let tags = keys.derive("fingerprints of backups");
    let tags = tags.tags(&["fingerprint"]);
    tags.map(|tag| digest::text(&tag[..8])).collect()
}

/// The folders of all backups, the latest first, and whether each has a manifest.
pub(super) async fn all(store: &Blobs) -> Result<Vec<(String, bool)>, Fault> {
    let mut found = BTreeMap::<String, bool>::new();
    let mut list = store.list(FOLDER);
    while let Some(listed) = list.try_next().await? {
        let rest = listed.key.strip_prefix(FOLDER).unwrap_or_default();
        if let Some((id, name)) = rest.trim_start_matches('/').split_once('/') {
            *found.entry(id.to_owned()).or_default() |= name == FILE;
        }
    }
    Ok(found.into_iter().rev().collect())
}

/// The name of the latest complete backup.
pub(super) async fn latest(store: &Blobs) -> Result<String, Fault> {
    let latest = all(store).await?.into_iter().find(|(_, has)| *has);
    let none = || Fault::new(Code::NotFound, "there is no complete backup");
    latest.map(|(id, _)| id).ok_or_else(none)
}

impl Manifest {
    /// Completes a backup. The site's keys sign the manifest, if the site has keys.
    pub(super) async fn write(
        &self,
        store: &Blobs,
        id: &str,
        keys: Option<&Keys>,
    ) -> Result<(), Fault> {
        let text = serde_json::to_string_pretty(self).map_err(|error| {
            let message = format!("the manifest cannot be written as JSON: {error}");
            Fault::new(Code::Internal, message)
        })?;
        if let Some(keys) = keys {
            let tag = signer(keys).tag(&[&text]).to_vec();
            store.keep(&key_of(id, TAG), tag.into()).await?;
        }
        store.keep(&key_of(id, FILE), text.into()).await
    }

    /// Reads a backup's manifest. With the site's keys, a manifest that they have not signed is refused.
    pub(super) async fn read(store: &Blobs, id: &str, keys: Option<&Keys>) -> Result<Self, Fault> {
        let refuse = |why: &str| Fault::new(Code::Invalid, format!("the backup {id} {why}"));
        let text = content(store, &key_of(id, FILE)).await?;
        let text = text.ok_or_else(|| refuse("has no manifest: it is missing or incomplete"))?;
        let text = String::from_utf8(text).map_err(|_| refuse("has a damaged manifest"))?;
        let manifest: Self = serde_json::from_str(&text)
            .map_err(|error| refuse(&format!("has a damaged manifest: {error}")))?;
        if manifest.format != FORMAT {
            let format = manifest.format;
            return Err(refuse(&format!("has the format {format}, not {FORMAT}")));
        }
        if let Some(keys) = keys
            && manifest.missing_keys(keys).is_empty()
        {
            let tag = content(store, &key_of(id, TAG)).await?;
            if !signer(keys).is_tag_of(&tag.unwrap_or_default(), &[&text]) {
                return Err(refuse("has a manifest that was changed after the backup"));
            }
        }
        Ok(manifest)
    }

    /// The fingerprints of the site's keys that are not among these keys.
    pub(super) fn missing_keys(&self, keys: &Keys) -> Vec<String> {
        let own = fingerprints(keys);
        let missing = self.keys.iter().filter(|key| !own.contains(key));
        missing.cloned().collect()
    }

    /// Every part with its name within the backup.
    pub(super) fn parts(&self) -> impl Iterator<Item = (String, &Part)> {
        let tables = self.schemas.iter().flat_map(|schema| {
            let tables = schema.tables.iter();
            tables.map(|table| (table_name(&schema.name, &table.name), &table.part))
        });
        let files = self.files.iter();
        let files = files.map(|file| (file_name(&file.name), &file.part));
        tables.chain(files)
    }
}

/// The name of a table's part.
pub(super) fn table_name(schema: &str, table: &str) -> String {
    format!("database/{schema}.{table}")
}

/// The name of a file's part.
pub(super) fn file_name(name: &str) -> String {
    format!("site/{name}")
}

fn signer(keys: &Keys) -> Keys {
    keys.derive("manifests of backups")
}

async fn content(store: &Blobs, key: &str) -> Result<Option<Vec<u8>>, Fault> {
    match store.read(key, None).await? {
        Some(found) => Ok(Some(found.collect().await?.into())),
        None => Ok(None),
    }
}
