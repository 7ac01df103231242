//! Blobs: pictures and other files, by a key made of their content.

use std::{path::Path, sync::Arc};

use object_store::{ObjectStore, ObjectStoreExt, local::LocalFileSystem, path::Path as Key};

use crate::{
    digest,
    error::{Code, Fault},
};

/// Where blobs lie.
pub type Blobs = Arc<dyn ObjectStore>;

/// Blobs in a folder, which is made where it is missing.
pub fn in_folder(folder: &Path) -> Result<Blobs, Fault> {
    std::fs::create_dir_all(folder)
        .map_err(|e| e.to_string())
        .and_then(|()| LocalFileSystem::new_with_prefix(folder).map_err(|e| e.to_string()))
        .map(|store| Arc::new(store) as Blobs)
        .map_err(|error| {
            let folder = folder.display();
            Fault::new(
                Code::Unavailable,
                format!("blobs.folder {folder} cannot be used: {error}"),
            )
        })
}

/// The key of a file, `{digest}.{extension}`, made of its content: the same file is kept once, and an
/// address never changes its meaning.
#[must_use]
pub fn key_of(content: &[u8], extension: &str) -> String {
    // 128 bits of the digest: short addresses, and no two files share one.
    format!("{}.{extension}", digest::hex(content, 16))
}

/// Keeps a file under the key that [`key_of`] made.
pub async fn keep(blobs: &Blobs, key: &str, content: Vec<u8>) -> Result<(), Fault> {
    blobs
        .put(&Key::from(key), content.into())
        .await
        .map(drop)
        .map_err(|error| Fault::new(Code::Unavailable, format!("blob {key}: {error}")))
}

/// A blob's content; `None` if the key has none.
pub async fn read(blobs: &Blobs, key: &str) -> Result<Option<bytes::Bytes>, Fault> {
    let fail = |error: object_store::Error| match error {
        object_store::Error::NotFound { .. } => None,
        other => Some(Fault::new(
            Code::Unavailable,
            format!("blob {key}: {other}"),
        )),
    };
    match blobs.get(&Key::from(key)).await {
        Ok(found) => found
            .bytes()
            .await
            .map(Some)
            .or_else(|e| fail(e).map_or(Ok(None), Err)),
        Err(error) => fail(error).map_or(Ok(None), Err),
    }
}
