//! Catalogue pictures: their addresses, and their files in the blob store.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::{CATALOGUE, Encoding, Size, WHOLE};

/// The path under which catalogue pictures are served.
const FOLDER: &str = "/media/pictures/";
/// The number of bytes of the original's SHA-256 digest that form its name.
const NAMED: usize = 16;

/// A catalogue picture in the sizes of [`CATALOGUE`], named after its original's content: the content at an address
/// never changes. If the sizes are ever made differently, they need another folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CataloguePicture(String);

impl CataloguePicture {
    /// The picture made from a file.
    #[must_use]
    pub fn of(original: &[u8]) -> Self {
        let digest = Sha256::digest(original);
        let mut name = String::with_capacity(NAMED * 2);
        for byte in digest.iter().take(NAMED) {
            // Writing to a String cannot fail.
            let _ = write!(name, "{byte:02x}");
        }
        Self(name)
    }

    /// The picture with this name; `None` if the name is invalid.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (name.len() == NAMED * 2 && name.bytes().all(is_digit)).then(|| Self(name.to_owned()))
    }

    /// The picture at an `image_url`; `None` for a picture without sizes, such as a drawing.
    #[must_use]
    pub fn at(address: &str) -> Option<Self> {
        let (name, size) = address.strip_prefix(FOLDER)?.split_once('/')?;
        (size == WHOLE.name).then(|| Self::named(name))?
    }

    /// The address for `image_url`: the largest size.
    #[must_use]
    pub fn image_url(&self) -> String {
        self.address(&WHOLE)
    }

    /// The blob key of one of the picture's files.
    #[must_use]
    pub fn file(&self, size: &Size, encoding: Encoding) -> String {
        let extension = encoding.extension();
        format!("pictures/{}/{}.{extension}", self.0, size.name)
    }

    /// The picture's address in a size.
    #[must_use]
    pub fn address(&self, size: &Size) -> String {
        format!("{FOLDER}{}/{}", self.0, size.name)
    }

    /// All sizes, for the `srcset` attribute.
    #[must_use]
    pub fn srcset(&self) -> String {
        let mut all = String::new();
        for size in &CATALOGUE {
            let comma = if all.is_empty() { "" } else { ", " };
            // Writing to a String cannot fail.
            let _ = write!(all, "{comma}{} {}w", self.address(size), size.width);
        }
        all
    }

    /// The size with this name, if catalogue pictures have it.
    #[must_use]
    pub fn size(name: &str) -> Option<&'static Size> {
        CATALOGUE.iter().find(|size| size.name == name)
    }
}

#[cfg(test)]
mod tests {
    use crate::Fit;

    use super::*;

    #[test]
    fn an_address_tells_the_picture_and_its_sizes() {
        let picture = CataloguePicture::of(b"a file");
        let address = picture.image_url();
        assert_eq!(CataloguePicture::at(&address), Some(picture.clone()));
        let name = picture.0.clone();
        assert_eq!(
            picture.srcset(),
            format!(
                "/media/pictures/{name}/300x200 300w, /media/pictures/{name}/600x400 600w, \
                 /media/pictures/{name}/720x480 720w, /media/pictures/{name}/whole 1600w"
            )
        );
        for other in [
            "/media/0123456789abcdef0123456789abcdef.svg",
            "https://elsewhere.example/media/pictures/0123456789abcdef0123456789abcdef/whole",
            "/media/pictures/0123456789abcdef0123456789abcdef/720x480",
            "/media/pictures/../whole",
            "/media/pictures/0123456789ABCDEF0123456789ABCDEF/whole",
        ] {
            assert_eq!(CataloguePicture::at(other), None, "{other}");
        }
    }

    #[test]
    fn the_largest_size_is_the_only_one_that_is_not_cropped_to_three_by_two() {
        for size in &CATALOGUE {
            match size.fit {
                Fit::Crop => assert_eq!(size.width * 2, size.height * 3),
                Fit::Within => assert_eq!(size.name, WHOLE.name),
            }
        }
    }
}
