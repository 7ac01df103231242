//! Blobs: pictures and other files, stored under a hash of their content, in a folder or in an S3-compatible object
//! store. They are streamed in and out, so a large blob is never held in memory.

mod incoming;
mod settings;
mod signed;

use std::{io::ErrorKind, ops::Range, path::Path, sync::Arc, time::Duration};

use bytes::Bytes;
use chrono::{DateTime, Utc};
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

/// The timeout for connecting to the object store.
const CONNECT: Duration = Duration::from_secs(2);
/// The timeout for a response of the object store, including retries.
const ANSWER: Duration = Duration::from_secs(10);

/// The maximum number of blobs sent to a bucket concurrently: parts of each are held in memory.
const SENT: usize = 4;

/// A store of blobs. Cheap to clone.
#[derive(Clone)]
pub struct Blobs {
    store: Arc<dyn ObjectStore>,
    /// The folder, if the blobs are stored in one. Needed because the store does not list files that a killed process
    /// wrote partially.
    folder: Option<Arc<Path>>,
    /// Permits for sending blobs to a bucket.
    sent: Arc<Semaphore>,
}

impl std::fmt::Debug for Blobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Blobs")
            .field(&self.store.to_string())
            .finish()
    }
}

/// The content of a blob, or a range of it.
pub struct Content {
    /// The size of the whole blob, in bytes.
    pub size: u64,
    /// The byte range that `parts` contains.
    pub range: Range<u64>,
    /// The content of the range, part by part.
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

/// A stored blob in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The blob's key.
    pub key: String,
    /// The size in bytes.
    pub size: u64,
    /// When the blob was stored, by the clock of the store.
    pub changed: DateTime<Utc>,
}

impl Content {
    /// Reads all of the content into memory; use it only for blobs that are known to be small.
    pub async fn collect(mut self) -> Result<Bytes, Fault> {
        let size = self.range.end.saturating_sub(self.range.start);
        // A growing buffer would take twice as much memory.
        let mut all = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        while let Some(part) = self.parts.next().await {
            all.extend_from_slice(&part?);
        }
        Ok(all.into())
    }
}

impl Blobs {
    /// Opens the store that the settings select.
    pub fn open(settings: &Settings) -> Result<Self, Fault> {
        settings.validate()?;
        if settings.s3.bucket.is_empty() {
            Self::in_folder(&settings.folder)
        } else {
            Self::in_bucket(&settings.s3)
        }
    }

    /// Blobs in a folder, which is created if it is missing. Stored blobs are synced to disk.
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

    /// Stores a file under the key returned by [`key_of`].
    pub async fn keep(&self, key: &str, content: Bytes) -> Result<(), Fault> {
        let kept = self.store.put(&Key::from(key), content.into()).await;
        kept.map(drop).map_err(|error| fault(key, &error))
    }

    /// The content of a blob, or a range of it; `None` if the blob does not exist. A range must begin within the blob.
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

    /// The size of a blob in bytes; `None` if the blob does not exist.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, Fault> {
        match self.store.head(&Key::from(key)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(fault(key, &error)),
        }
    }

    /// The blobs below a folder, in no order; all blobs if the folder is empty. Partially written files are not listed.
    #[must_use]
    pub fn list(&self, folder: &str) -> BoxStream<'static, Result<Listed, Fault>> {
        let prefix = (!folder.is_empty()).then(|| Key::from(folder));
        let name = folder.to_owned();
        let all = self.store.list(prefix.as_ref());
        all.map(move |found| {
            let found = found.map_err(|error| fault(&name, &error))?;
            Ok(Listed {
                key: found.location.to_string(),
                size: found.size,
                changed: found.last_modified,
            })
        })
        .boxed()
    }

    /// Deletes every blob in a folder, including partially written files.
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

    /// Deletes a blob. A missing blob counts as deleted.
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

/// The key of a file, `{digest}.{extension}`, derived from its content: identical files are stored once, and the
/// content at an address never changes.
#[must_use]
pub fn key_of(content: &[u8], extension: &str) -> String {
    // 128 bits of the digest keep addresses short and collisions negligible.
    let digest = Sha256::digest(content);
    format!("{}.{extension}", digest::text(&digest[..16]))
}
