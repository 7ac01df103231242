//! Incoming blobs: received into a temporary place, then kept under a key made of their content, or
//! discarded.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::{Stream, StreamExt, TryStreamExt};
use object_store::{ObjectMeta, ObjectStoreExt, WriteMultipart, path::Path as Key};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::{Blobs, fault, key_of_digest};
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

/// A blob that has been received completely and has no key yet. One that is neither kept nor discarded,
/// because its process died, is forgotten by [`Blobs::forget_incoming`].
#[derive(Debug)]
pub struct Incoming {
    blobs: Blobs,
    place: Key,
    digest: [u8; 32],
    /// Its size in bytes.
    pub size: u64,
}

impl Blobs {
    /// Receives a blob part by part, at most `limit` bytes; a sender that stops leaves nothing behind. `id`
    /// names its temporary place.
    pub async fn receive<E: std::fmt::Display>(
        &self,
        id: Uuid,
        content: impl Stream<Item = Result<Bytes, E>> + Send,
        limit: u64,
    ) -> Result<Incoming, NotReceived> {
        let place = Key::from(format!("{FOLDER}/{id}"));
        let store = |error: &object_store::Error| NotReceived::Store(fault(place.as_ref(), error));
        let upload = self
            .store
            .put_multipart(&place)
            .await
            .map_err(|e| store(&e))?;
        let mut writer = WriteMultipart::new(upload);
        match write(&mut writer, content, limit).await {
            Ok((digest, size)) => {
                writer.finish().await.map_err(|e| store(&e))?;
                Ok(Incoming {
                    blobs: self.clone(),
                    place,
                    digest,
                    size,
                })
            }
            Err(why) => {
                if let Err(error) = writer.abort().await {
                    tracing::warn!(%error, blob = %place, "a broken upload was not removed");
                }
                Err(why)
            }
        }
    }

    /// Deletes blobs that were received before an instant and never kept; returns how many.
    pub async fn forget_incoming(&self, before: DateTime<Utc>) -> Result<u64, Fault> {
        let folder = Key::from(FOLDER);
        let old = self.store.list(Some(&folder));
        let old =
            old.try_filter(|found: &ObjectMeta| std::future::ready(found.last_modified < before));
        let old: Vec<_> = old.try_collect().await.map_err(|e| fault(FOLDER, &e))?;
        for found in &old {
            self.delete(found.location.as_ref()).await?;
        }
        Ok(old.len() as u64)
    }
}

/// Writes a stream; returns its digest and size.
async fn write<E: std::fmt::Display>(
    writer: &mut WriteMultipart,
    content: impl Stream<Item = Result<Bytes, E>> + Send,
    limit: u64,
) -> Result<([u8; 32], u64), NotReceived> {
    let mut content = std::pin::pin!(content);
    let (mut digest, mut size) = (Sha256::new(), 0);
    while let Some(part) = content.next().await {
        let part = part.map_err(|error| NotReceived::Broken(error.to_string()))?;
        size += part.len() as u64;
        if size > limit {
            return Err(NotReceived::TooLarge(limit));
        }
        digest.update(&part);
        let waited = writer.wait_for_capacity(PARTS).await;
        waited.map_err(|e| NotReceived::Store(fault(FOLDER, &e)))?;
        writer.put(part);
    }
    Ok((digest.finalize().into(), size))
}

impl Incoming {
    /// The blob's content, for a check before it is kept.
    pub async fn read(&self) -> Result<super::Content, Fault> {
        let found = self.blobs.read(self.place.as_ref(), None).await?;
        found.ok_or_else(|| Fault::new(Code::Internal, format!("{} is gone", self.place)))
    }

    /// Keeps it under the key that [`super::key_of`] makes of its content; returns the key. The same content
    /// twice is one blob.
    pub async fn keep(self, extension: &str) -> Result<String, Fault> {
        let key = key_of_digest(&self.digest, extension);
        let to = Key::from(key.as_str());
        let moved = self.blobs.store.rename(&self.place, &to).await;
        moved.map_err(|error| fault(&key, &error))?;
        Ok(key)
    }

    /// Discards it.
    pub async fn discard(self) -> Result<(), Fault> {
        self.blobs.delete(self.place.as_ref()).await
    }
}
