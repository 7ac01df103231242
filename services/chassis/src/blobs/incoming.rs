//! Incoming blobs: received under an id into a temporary place, where another process reads and discards them.

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

/// The folder of blobs that are not kept yet.
const FOLDER: &str = "incoming";
/// Bytes that are written to a folder at a time: many uploads are received at once, and each holds two such pieces.
const PIECE: usize = 128 * 1024;
/// Bytes of a part in a bucket, which takes no smaller ones.
const PART: usize = 5 * 1024 * 1024;
/// Parts of a blob that are sent at a time; all of them are held in memory.
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
    ///
    /// However slow its sender, a blob takes hardly any memory: what goes to a bucket waits in a temporary file until it is
    /// whole.
    pub async fn receive<E: std::fmt::Display>(
        &self,
        id: Uuid,
        content: impl Stream<Item = Result<Bytes, E>> + Send,
        limit: u64,
    ) -> Result<u64, NotReceived> {
        let content = content.map_err(|error| NotReceived::Broken(error.to_string()));
        if self.folder.is_some() {
            return self.write(id, content, limit, PIECE).await;
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
        self.write(id, whole, limit, PART).await
    }

    /// Writes a blob to the store, in pieces of so many bytes.
    async fn write(
        &self,
        id: Uuid,
        content: impl Stream<Item = Result<Bytes, NotReceived>> + Send,
        limit: u64,
        piece: usize,
    ) -> Result<u64, NotReceived> {
        let place = place(id);
        let store = |error: &object_store::Error| NotReceived::Store(fault(place.as_ref(), error));
        let upload = self.store.put_multipart(&place).await;
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

/// A stream that ends with an error once it is larger than allowed.
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

/// A file without a name: it is gone with this process, however it ends.
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
