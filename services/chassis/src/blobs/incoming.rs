//! Incoming blobs are stored under an id in a temporary location until another process reads and deletes them.

use std::io::ErrorKind;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::{Stream, StreamExt, TryStreamExt};
use object_store::{ObjectMeta, ObjectStoreExt, WriteMultipart, path::Path as Key};
use tokio::{
    fs::File,
    io::{AsyncSeekExt, AsyncWriteExt},
};
use tokio_util::io::ReaderStream;
use uuid::Uuid;

use super::{Blobs, fault};
use crate::error::{Code, Fault};

/// The folder for blobs that are not stored permanently yet.
const FOLDER: &str = "incoming";
/// The number of bytes written to a folder at a time. Each of many concurrent uploads holds two such pieces in memory.
const PIECE: usize = 128 * 1024;
/// The size of a multipart upload's part, in bytes: the minimum that a bucket accepts.
const PART: usize = 5 * 1024 * 1024;
/// The number of parts of a blob that are sent concurrently; all of them are held in memory.
const PARTS: usize = 2;

/// The reason that a blob was not received.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotReceived {
    /// The blob has more bytes than allowed.
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
    /// Receives a blob of at most `limit` bytes and returns its size. If the sender stops, nothing is stored.
    /// [`Blobs::old_incoming`] lists blobs that were not discarded because a process died.
    ///
    /// A slow upload uses hardly any memory: content for a bucket is first buffered in a temporary file.
    pub async fn receive<E: std::fmt::Display>(
        &self,
        id: Uuid,
        content: impl Stream<Item = Result<Bytes, E>> + Send,
        limit: u64,
    ) -> Result<u64, NotReceived> {
        let content = content.map_err(|error| NotReceived::Broken(error.to_string()));
        if self.folder.is_some() {
            return self.write(&place(id), content, limit).await;
        }
        let mut file = temporary_file().await?;
        let mut content = std::pin::pin!(bounded(content, limit));
        while let Some(piece) = content.try_next().await? {
            file.write_all(&piece).await.map_err(not_buffered)?;
        }
        file.flush().await.map_err(not_buffered)?;
        file.rewind().await.map_err(not_buffered)?;
        let whole = ReaderStream::with_capacity(file, PIECE).map_err(not_buffered);
        // The semaphore is never closed.
        let _turn = self.sent.acquire().await.ok();
        self.write(&place(id), whole, limit).await
    }

    /// Stores a large blob under a key while its content is made; returns its size in bytes. Nothing is stored if the
    /// content ends with an error. A blob in a bucket may have 10,000 parts of 5 MiB.
    pub async fn store(
        &self,
        key: &str,
        content: impl Stream<Item = Result<Bytes, Fault>> + Send,
    ) -> Result<u64, Fault> {
        let content = content.map_err(NotReceived::Store);
        let stored = self.write(&Key::from(key), content, u64::MAX).await;
        stored.map_err(|why| match why {
            NotReceived::Store(fault) => fault,
            why => Fault::new(Code::Unavailable, format!("blob {key}: {why}")),
        })
    }

    /// Writes a blob to the store in pieces.
    async fn write(
        &self,
        place: &Key,
        content: impl Stream<Item = Result<Bytes, NotReceived>> + Send,
        limit: u64,
    ) -> Result<u64, NotReceived> {
        let piece = if self.folder.is_some() { PIECE } else { PART };
        let store = |error: &object_store::Error| NotReceived::Store(fault(place.as_ref(), error));
        let upload = self.store.put_multipart(place).await;
        let upload = upload.map_err(|e| store(&e))?;
        let mut writer = WriteMultipart::new_with_chunk_size(upload, piece);
        let written = async {
            let mut content = std::pin::pin!(bounded(content, limit));
            let mut size = 0;
            while let Some(next) = content.try_next().await? {
                size += next.len() as u64;
                let waited = writer.wait_for_capacity(PARTS).await;
                waited.map_err(|e| store(&e))?;
                writer.put(next);
            }
            Ok(size)
        };
        match written.await {
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

    /// The content of the blob received under this id, or `None` if it does not exist.
    pub async fn read_incoming(&self, id: Uuid) -> Result<Option<super::Content>, Fault> {
        self.read(place(id).as_ref(), None).await
    }

    /// Deletes the blob received under this id. A missing blob counts as deleted.
    pub async fn discard_incoming(&self, id: Uuid) -> Result<(), Fault> {
        self.delete(place(id).as_ref()).await
    }

    /// Deletes the partial files, last written before an instant, of processes that died; returns the number of files
    /// deleted. Buckets delete incomplete uploads by their own lifecycle rule.
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
            // The store writes to a name that contains `#`, and renames the file once it is complete.
            if !entry.file_name().to_string_lossy().contains('#') {
                continue;
            }
            // Another process may have just deleted the file.
            let changed = entry.metadata().await.and_then(|known| known.modified());
            if changed.is_ok_and(|changed| DateTime::<Utc>::from(changed) < before)
                && tokio::fs::remove_file(entry.path()).await.is_ok()
            {
                deleted += 1;
            }
        }
        Ok(deleted)
    }

    /// The ids of at most `limit` blobs that were received before an instant and still exist, because the receiver died
    /// or keeps the blob on purpose.
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

/// Ends a stream with an error once it exceeds the limit.
fn bounded(
    content: impl Stream<Item = Result<Bytes, NotReceived>> + Send,
    limit: u64,
) -> impl Stream<Item = Result<Bytes, NotReceived>> + Send {
    content.scan(0, move |size, next| {
        let next = next.and_then(|piece| {
            *size += piece.len() as u64;
            if *size > limit {
                return Err(NotReceived::TooLarge(limit));
            }
            Ok(piece)
        });
        std::future::ready(Some(next))
    })
}

/// An unnamed file: it disappears with this process, however the process ends.
async fn temporary_file() -> Result<File, NotReceived> {
    let made = tokio::task::spawn_blocking(tempfile::tempfile).await;
    let made = made.unwrap_or_else(|error| Err(std::io::Error::other(error)));
    let mut file = File::from_std(made.map_err(not_buffered)?);
    file.set_max_buf_size(PIECE);
    Ok(file)
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` passes")]
fn not_buffered(error: std::io::Error) -> NotReceived {
    let message = format!("a temporary file: {error}");
    NotReceived::Store(Fault::new(Code::Unavailable, message))
}
