//! Pictures of a former site in a folder.

use std::path::{Path, PathBuf};

use url::Url;

use super::{
    fetched::Fetching,
    uploaded::{below, without_size},
};
use crate::{
    content::{PictureKind, Pictures, picture_content},
    file_names,
};

/// A picture published on this site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    /// The picture's address on this site.
    pub(super) address: String,
    /// Displayed width and height in pixels; `None` for a drawing.
    pub(super) size: Option<[u32; 2]>,
}

/// A copy of a former site's uploads folder.
#[derive(Debug, Clone, Default)]
pub struct Uploads {
    folder: Option<PathBuf>,
    /// Fetches pictures that are missing in the folder, if enabled.
    fetching: Option<Fetching>,
}

impl Uploads {
    /// Opens the folder; `None` if the publisher has none.
    pub fn of(folder: Option<PathBuf>) -> Result<Self, String> {
        let Some(folder) = folder else {
            return Ok(Self::default());
        };
        let whole = folder.canonicalize().ok().filter(|found| found.is_dir());
        let whole = whole.ok_or_else(|| format!("{} is no folder", folder.display()))?;
        Ok(Self {
            folder: Some(whole),
            fetching: None,
        })
    }

    /// Enables fetching of missing pictures into the folder.
    #[must_use]
    pub fn fetched_by(self, fetching: Fetching) -> Self {
        Self {
            fetching: Some(fetching),
            ..self
        }
    }

    pub(super) fn fetching(&self) -> Option<&Fetching> {
        self.fetching.as_ref()
    }

    /// Finds the picture of an address and adds it to the pictures to publish, or returns the reason why it is
    /// unavailable.
    pub(super) fn take(&self, address: &str, pictures: &mut Pictures) -> Result<Shown, String> {
        let Some(folder) = &self.folder else {
            return Err("no folder of pictures was given".to_owned());
        };
        let path = match (find(folder, address), &self.fetching) {
            (Some(path), _) => path,
            (None, Some(fetching)) => fetching.get(folder, address)?,
            (None, None) => return Err("it is not in the folder".to_owned()),
        };
        let extension = path.extension().and_then(|extension| extension.to_str());
        let kind = extension.and_then(PictureKind::of);
        let kind = kind.ok_or("it is neither svg, jpg, png nor webp")?;
        let content = picture_content(&path, kind)?;
        let size = match kind {
            PictureKind::Drawing => None,
            PictureKind::Photograph => {
                let header = pictures::inspect(&content);
                let header = header.map_err(|refusal| refusal.to_string())?;
                Some(within(header.width, header.height))
            }
        };
        let address = pictures.add(path, &content, kind)?;
        Ok(Shown { address, size })
    }
}

/// Returns the file of an address, preferring the original to a resized version.
fn find(folder: &Path, address: &str) -> Option<PathBuf> {
    let path = match Url::parse(address) {
        Ok(url) => url.path().to_owned(),
        Err(_) => address.split(['?', '#']).next()?.to_owned(),
    };
    let candidates = below(&path).into_iter().flat_map(|below| {
        let original = without_size(&below);
        original.into_iter().chain([below])
    });
    let mut inside = candidates.filter_map(|relative| {
        // Symbolic links must not lead outside the folder.
        let relative = Path::new(relative.trim_start_matches('/'));
        let found = file_names::find(folder, relative)?.canonicalize().ok()?;
        (found.starts_with(folder) && found.is_file()).then_some(found)
    });
    inside.next()
}

/// Returns the size in which a picture is shown uncropped.
fn within(width: u32, height: u32) -> [u32; 2] {
    let most = pictures::WHOLE.width;
    let longest = width.max(height);
    if longest <= most {
        return [width, height];
    }
    let scaled = |side: u32| {
        let side =
            (u64::from(side) * u64::from(most) + u64::from(longest) / 2) / u64::from(longest);
        u32::try_from(side).unwrap_or(most).max(1)
    };
    [scaled(width), scaled(height)]
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const DRAWING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let uploads = folder.path().join("uploads/2013/03");
        fs::create_dir_all(&uploads).expect("made");
        fs::write(uploads.join("tram.svg"), DRAWING).expect("written");
        fs::write(uploads.join("été-2x3.svg"), DRAWING).expect("written");
        fs::write(uploads.join("cafe\u{301}.SVG"), DRAWING).expect("written");
        fs::write(uploads.join("notes.txt"), "x").expect("written");
        fs::write(uploads.join("fake.jpg"), "x").expect("written");
        fs::write(folder.path().join("secret.svg"), DRAWING).expect("written");
        folder
    }

    fn take(folder: &Path, address: &str) -> Result<Shown, String> {
        let uploads = Uploads::of(Some(folder.join("uploads"))).expect("a folder");
        uploads.take(address, &mut Pictures::default())
    }

    #[test]
    fn a_picture_is_found_by_its_address_also_that_of_a_size() {
        let folder = folder();
        for address in [
            "https://old.example/wp-content/uploads/2013/03/tram.svg",
            "http://cdn.old.example/wp-content/uploads/2013/03/tram-300x200.svg?resize=300",
            "https://old.files.wordpress.com/2013/03/tram.svg",
            "/wp-content/uploads/2013/03/tram-1x1.svg",
            "https://old.example/wp-content/uploads/2013/03/%C3%A9t%C3%A9-2x3.svg",
            "https://old.example/wp-content/uploads/2013/03/caf%C3%A9.svg",
        ] {
            let shown = take(folder.path(), address).expect(address);
            assert!(shown.address.starts_with("/media/"), "{shown:?}");
        }
    }

    #[test]
    fn what_is_no_picture_of_the_folder_is_refused() {
        let folder = folder();
        for (address, why) in [
            (
                "https://old.example/wp-content/uploads/2013/03/gone.svg",
                "it is not in the folder",
            ),
            (
                "https://old.example/wp-content/uploads/../secret.svg",
                "it is not in the folder",
            ),
            (
                "/wp-content/uploads/%2e%2e/secret.svg",
                "it is not in the folder",
            ),
            ("/2013/03/notes.txt", "it is neither svg, jpg, png nor webp"),
            ("data:image/gif;base64,R0lGODlh", "it is not in the folder"),
            ("", "it is not in the folder"),
        ] {
            assert_eq!(take(folder.path(), address).expect_err(address), why);
        }
        assert!(take(folder.path(), "/2013/03/fake.jpg").is_err());
        assert!(Uploads::of(Some(folder.path().join("nowhere"))).is_err());
    }

    #[test]
    fn a_picture_is_shown_in_its_shape_and_not_enlarged() {
        for (size, shown) in [
            ([580, 300], [580, 300]),
            ([3200, 1600], [1600, 800]),
            ([1000, 3000], [533, 1600]),
            ([1, 100_000], [1, 1600]),
        ] {
            assert_eq!(within(size[0], size[1]), shown);
        }
    }
}
