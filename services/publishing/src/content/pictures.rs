//! Pictures of a content folder. Drawings are published unchanged, photographs in several sizes.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use chassis::blobs::{self, Blobs};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use pictures::{CATALOGUE, CataloguePicture, Encoding, MAX_BYTES, Refusal, WHOLE};
use tokio::sync::Semaphore;

use super::file;

/// Maximum size of a drawing in bytes.
const MAX_DRAWING: u64 = 32 << 20;
/// Number of pictures that are published concurrently.
const AT_A_TIME: usize = 4;
/// Memory budget in MiB for resizing photographs; a photograph of 48 megapixels needs 300.
const MEMORY: usize = 320;

/// Pictures to publish. Only their paths are in memory; the files are read again on publication.
#[derive(Debug, Default)]
pub(crate) struct Pictures(BTreeMap<Published, PathBuf>);

/// A picture in its published form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Published {
    /// Key of a drawing.
    Drawing(String),
    Photograph(CataloguePicture),
}

/// Kinds of pictures, by file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Drawing,
    Photograph,
}

impl Kind {
    /// Returns the kind of a file with this extension.
    pub(crate) fn of(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "svg" => Some(Self::Drawing),
            "jpg" | "jpeg" | "png" | "webp" => Some(Self::Photograph),
            _ => None,
        }
    }

    /// Returns the maximum file size in bytes.
    pub(super) fn most(self) -> u64 {
        match self {
            Self::Drawing => MAX_DRAWING,
            Self::Photograph => MAX_BYTES,
        }
    }
}

impl Pictures {
    /// Adds a picture whose content has been read. Returns its address, or the reason why it is not a valid picture.
    pub(crate) fn add(
        &mut self,
        path: PathBuf,
        content: &[u8],
        kind: Kind,
    ) -> Result<String, String> {
        let published = Published::of(content, kind)?;
        let address = published.address();
        self.0.insert(published, path);
        Ok(address)
    }

    /// Publishes all pictures that are not published yet.
    pub(crate) async fn publish(&self, blobs: &Blobs) -> Result<(), String> {
        let memory = Semaphore::new(MEMORY);
        let memory = &memory;
        stream::iter(&self.0)
            .map(|(published, path)| async move {
                let done = published.publish(blobs, path, memory).await;
                done.map_err(|why| format!("the picture {} {why}", path.display()))
            })
            .buffer_unordered(AT_A_TIME)
            .try_collect()
            .await
    }
}

/// Reads a picture's file, up to the size limit of its kind.
pub(crate) fn content(path: &Path, kind: Kind) -> Result<Vec<u8>, String> {
    file::content(path, kind.most())
}

impl Published {
    fn of(content: &[u8], kind: Kind) -> Result<Self, String> {
        match kind {
            Kind::Drawing if is_drawing(content) => {
                Ok(Self::Drawing(blobs::key_of(content, "svg")))
            }
            Kind::Drawing => Err("is no svg picture, whatever its name says".to_owned()),
            Kind::Photograph => {
                pictures::inspect(content).map_err(refused)?;
                Ok(Self::Photograph(CataloguePicture::of(content)))
            }
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Drawing(_) => Kind::Drawing,
            Self::Photograph(_) => Kind::Photograph,
        }
    }

    fn address(&self) -> String {
        match self {
            Self::Drawing(key) => format!("/media/{key}"),
            Self::Photograph(picture) => picture.image_url(),
        }
    }

    async fn publish(&self, blobs: &Blobs, path: &Path, memory: &Semaphore) -> Result<(), String> {
        let last = match self {
            Self::Drawing(key) => key.clone(),
            Self::Photograph(picture) => picture.file(&WHOLE, Encoding::Jpeg),
        };
        let is_there = blobs.size(&last).await.map_err(|fault| fault.message)?;
        if is_there.is_some() {
            return Ok(());
        }
        let content = file::content(path, self.kind().most())?;
        if Self::of(&content, self.kind()).as_ref() != Ok(self) {
            return Err("has changed meanwhile".to_owned());
        }
        let picture = match self {
            Self::Drawing(key) => {
                let kept = blobs.keep(key, content.into()).await;
                return kept.map_err(|fault| fault.message);
            }
            Self::Photograph(picture) => picture,
        };
        let header = pictures::inspect(&content).map_err(refused)?;
        let needed = usize::try_from(header.memory >> 20).unwrap_or(MEMORY);
        let needed = u32::try_from(needed.clamp(1, MEMORY)).unwrap_or(u32::MAX);
        // Cannot fail: the semaphore is never closed.
        let _room = memory.acquire_many(needed).await.ok();
        let sizes: Vec<_> = CATALOGUE.iter().collect();
        let made = tokio::task::spawn_blocking(move || pictures::make(&content, &sizes)).await;
        let made = made.map_err(|error| format!("was not read: {error}"))?;
        let mut files = made.map_err(refused)?.files;
        // The last file is written last: if it is missing after an interruption, all files are created again.
        files.sort_by_key(|file| picture.file(file.size, file.encoding) == last);
        for file in files {
            let key = picture.file(file.size, file.encoding);
            let kept = blobs.keep(&key, file.content.into()).await;
            kept.map_err(|fault| fault.message)?;
        }
        Ok(())
    }
}

fn refused(refusal: Refusal) -> String {
    format!("is refused: {refusal}")
}

/// Whether the content of a file looks like an SVG drawing.
fn is_drawing(content: &[u8]) -> bool {
    std::str::from_utf8(content).is_ok_and(|text| {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        text.starts_with('<') && text.contains("<svg")
    })
}
