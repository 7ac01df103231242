//! Blobs: pictures and other files, by a key made of their content, in a folder or in an object store that
//! speaks S3. They are streamed in and out, so a large one is never held in memory.

mod incoming;
mod settings;
mod signed;

use std::{io::ErrorKind, ops::Range, path::Path, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{
    ClientOptions, GetOptions, GetRange, ObjectStore, ObjectStoreExt, RetryConfig,
    aws::AmazonS3Builder, local::LocalFileSystem, path::Path as Key,
};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

pub use self::{
    incoming::NotReceived,
    settings::{S3Settings, Settings},
    signed::AddressSigner,
};
use crate::{
    digest,
    error::{Code, Fault},
    server_tls,
};

/// The longest wait for a connection to the object store.
const CONNECT: Duration = Duration::from_secs(2);
/// The longest wait for an answer of the object store, retries included.
const ANSWER: Duration = Duration::from_secs(10);

/// Blobs that are sent to a bucket at a time: parts of each are held in memory.
const SENT: usize = 4;

/// A store of blobs. Cheap to clone.
#[derive(Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// The folder of a store that is one. Files that a killed process has half written there are seen by no listing of the
    /// store.
    folder: Option<Arc<Path>>,
    /// Blobs that may be sent to a bucket now.
    sent: Arc<Semaphore>,
}

impl std::fmt::Debug for Blobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Blobs")
            .field(&self.store.to_string())
            .finish()
    }
}

/// A blob's content, or a part of it.
pub struct Content {
    /// Bytes of the whole blob.
    pub size: u64,
    /// The bytes that follow.
    pub range: Range<u64>,
    /// Those bytes, part by part.
    pub parts: BoxStream<'static, Result<Bytes, Fault>>,
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Content")
            .field("size", &self.size)
            .field("range", &self.range)
            .finish_non_exhaustive()
    }
}

impl Content {
    /// Reads all of it into memory; for blobs that are known to be small.
    pub async fn collect(mut self) -> Result<Bytes, Fault> {
        let size = self.range.end.saturating_sub(self.range.start);
        // Growing would take twice as much memory.
        let mut all = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        while let Some(part) = self.parts.next().await {
            all.extend_from_slice(&part?);
        }
        Ok(all.into())
    }
}

impl Blobs {
    /// The store that the settings name.
    pub fn open(settings: &Settings) -> Result<Self, Fault> {
        settings.validate()?;
        if settings.s3.bucket.is_empty() {
            Self::in_folder(&settings.folder)
        } else {
            Self::in_bucket(&settings.s3)
        }
    }

    /// Blobs in a folder, which is created if it is missing. A kept blob has been synced to the disk.
    pub fn in_folder(folder: &Path) -> Result<Self, Fault> {
        std::fs::create_dir_all(folder)
            .map_err(|e| e.to_string())
            .and_then(|()| LocalFileSystem::new_with_prefix(folder).map_err(|e| e.to_string()))
            .map(|store| Self {
                store: Arc::new(store.with_fsync(true)),
                folder: Some(Arc::from(folder)),
                sent: Arc::new(Semaphore::new(SENT)),
            })
            .map_err(|error| {
                let folder = folder.display();
                let message = format!("blobs.folder {folder} cannot be used: {error}");
                Fault::new(Code::Unavailable, message)
            })
    }

    /// Blobs in a bucket.
    fn in_bucket(settings: &S3Settings) -> Result<Self, Fault> {
        server_tls::install_provider();
        let client = ClientOptions::new()
            .with_connect_timeout(CONNECT)
            .with_timeout(ANSWER)
            .with_allow_http(settings.endpoint.starts_with("http://"));
        let retry = RetryConfig {
            max_retries: 3,
            retry_timeout: ANSWER,
            ..RetryConfig::default()
        };
        let store = AmazonS3Builder::new()
            .with_bucket_name(&settings.bucket)
            .with_endpoint(&settings.endpoint)
            .with_region(&settings.region)
            .with_access_key_id(&settings.access_key_id)
            .with_secret_access_key(&settings.secret_access_key)
            .with_client_options(client)
            .with_retry(retry)
            .build();
        let store = store.map_err(|error| {
            Fault::new(
                Code::Invalid,
                format!("settings: blobs.s3 is not valid: {error}"),
            )
        })?;
        Ok(Self {
            store: Arc::new(store),
            folder: None,
            sent: Arc::new(Semaphore::new(SENT)),
        })
    }

    /// Keeps a file under the key that [`key_of`] made.
    pub async fn keep(&self, key: &str, content: Bytes) -> Result<(), Fault> {
        let kept = self.store.put(&Key::from(key), content.into()).await;
        kept.map(drop).map_err(|error| fault(key, &error))
    }

    /// A blob's content, or a range of it; `None` if the key has none. A range begins within the blob.
    pub async fn read(
        &self,
        key: &str,
        range: Option<Range<u64>>,
    ) -> Result<Option<Content>, Fault> {
        let options = GetOptions {
            range: range.map(GetRange::Bounded),
            ..GetOptions::default()
        };
        match self.store.get_opts(&Key::from(key), options).await {
            Ok(found) => {
                let name = key.to_owned();
                Ok(Some(Content {
                    size: found.meta.size,
                    range: found.range.clone(),
                    parts: found
                        .into_stream()
                        .map(move |part| part.map_err(|error| fault(&name, &error)))
                        .boxed(),
                }))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(fault(key, &error)),
        }
    }

    /// The size of a blob in bytes; `None` if the key has none.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, Fault> {
        match self.store.head(&Key::from(key)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(fault(key, &error)),
        }
    }

    /// Deletes every blob in a folder, half-written ones too.
    pub async fn delete_folder(&self, folder: &str) -> Result<(), Fault> {
        if let Some(root) = &self.folder {
            return match tokio::fs::remove_dir_all(root.join(folder)).await {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    let message = format!("blobs {folder}: {error}");
                    Err(Fault::new(Code::Unavailable, message))
                }
                _ => Ok(()),
            };
        }
        let all = self.store.list(Some(&Key::from(folder)));
        let all: Vec<_> = all.try_collect().await.map_err(|e| fault(folder, &e))?;
        for found in &all {
            self.delete(found.location.as_ref()).await?;
        }
        Ok(())
    }

    /// Deletes a blob; a missing one counts as deleted.
    pub async fn delete(&self, key: &str) -> Result<(), Fault> {
        match self.store.delete(&Key::from(key)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(fault(key, &error)),
        }
    }
}

fn fault(key: &str, error: &object_store::Error) -> Fault {
    Fault::new(Code::Unavailable, format!("blob {key}: {error}"))
}

/// The key of a file, `{digest}.{extension}`, made of its content: the same file is kept once, and an
/// address never changes its meaning.
#[must_use]
pub fn key_of(content: &[u8], extension: &str) -> String {
    // 128 bits of the digest: short addresses, and no two files share one.
    let digest = Sha256::digest(content);
    format!("{}.{extension}", digest::text(&digest[..16]))
}
