//! Incoming blobs: received under an id into a temporary place, where another process reads and discards them.

use std::io::ErrorKind;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::{Stream, StreamExt, TryStreamExt};
use object_store::{ObjectMeta, ObjectStoreExt, WriteMultipart, path::Path as Key};
use uuid::Uuid;

use super::{Blobs, fault};
use crate::error::{Code, Fault};

/// The folder of blobs that are not kept yet.
const FOLDER: &str = "incoming";
/// Parts of 5 MiB that are uploaded to the store at a time; all of them are held in memory.
const PARTS: usize = 2;

/// Why a blob was not received.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotReceived {
    /// It has more bytes than allowed.
    #[error("more than {0} bytes")]
    TooLarge(u64),
    /// The sender stopped.
    #[error("the sender stopped: {0}")]
    Broken(String),
    /// The store failed.
    #[error("{0}")]
    Store(Fault),
}

impl Blobs {
    /// Receives a blob part by part, at most `limit` bytes; returns its size. A sender that stops leaves nothing behind. One
    /// that nobody discards, because a process died, is listed by [`Blobs::old_incoming`].
    pub async fn receive<E: std::fmt::Display>(
        &self,
        id: Uuid,
        content: impl Stream<Item = Result<Bytes, E>> + Send,
        limit: u64,
    ) -> Result<u64, NotReceived> {
        let place = place(id);
        let store = |error: &object_store::Error| NotReceived::Store(fault(place.as_ref(), error));
        let upload = self
            .store
            .put_multipart(&place)
            .await
            .map_err(|e| store(&e))?;
        let mut writer = WriteMultipart::new(upload);
        match write(&mut writer, content, limit).await {
            Ok(size) => {
                writer.finish().await.map_err(|e| store(&e))?;
                Ok(size)
            }
            Err(why) => {
                if let Err(error) = writer.abort().await {
                    tracing::warn!(%error, blob = %place, "a broken upload was not removed");
                }
                Err(why)
            }
        }
    }

    /// The content of a blob that was received under an id; `None` if there is none.
    pub async fn read_incoming(&self, id: Uuid) -> Result<Option<super::Content>, Fault> {
        self.read(place(id).as_ref(), None).await
    }

    /// Discards a blob that was received under an id; a missing one counts as discarded.
    pub async fn discard_incoming(&self, id: Uuid) -> Result<(), Fault> {
        self.delete(place(id).as_ref()).await
    }

    /// Deletes what processes that died have received half of before an instant; returns how many files. A bucket deletes
    /// incomplete uploads by a rule of its own.
    pub async fn forget_half_received(&self, before: DateTime<Utc>) -> Result<u64, Fault> {
        let Some(root) = &self.folder else {
            return Ok(0);
        };
        let broken = |error: std::io::Error| {
            Fault::new(Code::Unavailable, format!("blobs {FOLDER}: {error}"))
        };
        let mut entries = match tokio::fs::read_dir(root.join(FOLDER)).await {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(broken(error)),
        };
        let mut deleted = 0;
        while let Some(entry) = entries.next_entry().await.map_err(broken)? {
            // The store writes to such a name, and renames the file once it is whole.
            if !entry.file_name().to_string_lossy().contains('#') {
                continue;
            }
            // Another process may have just deleted it.
            let changed = entry.metadata().await.and_then(|known| known.modified());
            if changed.is_ok_and(|changed| DateTime::<Utc>::from(changed) < before)
                && tokio::fs::remove_file(entry.path()).await.is_ok()
            {
                deleted += 1;
            }
        }
        Ok(deleted)
    }

    /// The ids of blobs that were received before an instant and are still there: their receivers have died, or keep them
    /// on purpose. At most `limit`.
    pub async fn old_incoming(
        &self,
        before: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<Uuid>, Fault> {
        let folder = Key::from(FOLDER);
        let all = self.store.list(Some(&folder));
        let old = all.try_filter_map(|found: ObjectMeta| {
            let name = found.location.filename().unwrap_or_default();
            let id = (found.last_modified < before).then(|| name.parse::<Uuid>().ok());
            std::future::ready(Ok(id.flatten()))
        });
        let old = old.take(limit).try_collect().await;
        old.map_err(|error| fault(FOLDER, &error))
    }
}

fn place(id: Uuid) -> Key {
    Key::from(format!("{FOLDER}/{id}"))
}

/// Writes a stream; returns its size.
async fn write<E: std::fmt::Display>(
    writer: &mut WriteMultipart,
    content: impl Stream<Item = Result<Bytes, E>> + Send,
    limit: u64,
) -> Result<u64, NotReceived> {
    let mut content = std::pin::pin!(content);
    let mut size = 0;
    while let Some(part) = content.next().await {
        let part = part.map_err(|error| NotReceived::Broken(error.to_string()))?;
        size += part.len() as u64;
        if size > limit {
            return Err(NotReceived::TooLarge(limit));
        }
        let waited = writer.wait_for_capacity(PARTS).await;
        waited.map_err(|e| NotReceived::Store(fault(FOLDER, &e)))?;
        writer.put(part);
    }
    Ok(size)
}
