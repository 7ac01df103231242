//! Deletes old backups, and the blobs that only they contain.

use std::collections::HashSet;

use chassis::{blobs::Blobs, error::Fault};
use chrono::{DateTime, Utc};
use futures::TryStreamExt;

use super::{
    blobs,
    manifest::{self, FOLDER, Manifest, key_of},
};

/// Deletes all complete backups but the latest `keep`, all incomplete ones, and then the blobs that no backup lists;
/// returns the number of deleted backups, and the instant of the oldest remaining one. Blobs that were stored since `since` stay. The lock of backups must be held,
/// so that an incomplete backup is not in progress.
pub(super) async fn apply(
    store: &Blobs,
    keep: usize,
    since: DateTime<Utc>,
) -> Result<(usize, Option<DateTime<Utc>>), Fault> {
    let all = manifest::all(store).await?;
    let complete = all.iter().filter(|(_, is_complete)| *is_complete);
    let kept: Vec<_> = complete.take(keep).map(|(id, _)| id.as_str()).collect();
    let old: Vec<_> = all.iter().map(|(id, _)| id.as_str()).collect();
    let old: Vec<_> = old.into_iter().filter(|id| !kept.contains(id)).collect();
    for id in &old {
        // Without its manifest, a partly deleted backup is not mistaken for a complete one.
        store.delete(&key_of(id, "manifest.json")).await?;
        store.delete_folder(&format!("{FOLDER}/{id}")).await?;
    }
    if !old.is_empty() {
        delete_unlisted(store, &kept, since).await?;
    }
    let oldest = match kept.last() {
        Some(id) => Some(Manifest::read(store, id, None).await?.at),
        None => None,
    };
    Ok((old.len(), oldest))
}

async fn delete_unlisted(store: &Blobs, kept: &[&str], since: DateTime<Utc>) -> Result<(), Fault> {
    let mut listed = HashSet::new();
    for id in kept {
        let manifest = Manifest::read(store, id, None).await?;
        listed.extend(blobs::objects(store, id, &manifest.blobs.part).await?);
    }
    let mut all = store.list(blobs::FOLDER);
    while let Some(blob) = all.try_next().await? {
        let object = blob.key.rsplit('/').next().unwrap_or_default();
        if blob.changed < since && !listed.contains(object) {
            store.delete(&blob.key).await?;
        }
    }
    Ok(())
}
