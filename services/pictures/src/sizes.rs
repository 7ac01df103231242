//! The sizes that pictures are shown in.

/// How a picture fills a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fit {
    /// Resized until it covers the size, then cropped to exactly that; a smaller picture is enlarged.
    Crop,
    /// Uncropped within the size, never enlarged.
    Within,
}

/// A size that pictures are shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Its name in addresses.
    pub name: &'static str,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// How a picture fills it.
    pub fit: Fit,
    /// The quality of both encodings, of 100.
    pub quality: u8,
}

/// A listing's picture.
pub const LISTING: Size = crop("720x480", 720, 480, 70);
/// A listing or article in a menu.
pub const NAV: Size = crop("600x400", 600, 400, 70);
/// A photo beside its text.
pub const DETAIL: Size = crop("610x610", 610, 610, 70);
/// A picture of the catalogue in a row, or a card on a small screen.
pub const SMALL: Size = crop("300x200", 300, 200, 70);
/// A photo in a list.
pub const THUMBNAIL: Size = crop("300x300", 300, 300, 70);
/// A reader's picture.
pub const AVATAR: Size = crop("80x80", 80, 80, 80);
/// The whole picture, for wide screens, the viewer and downloads.
pub const WHOLE: Size = Size {
    name: "whole",
    width: 1600,
    height: 1600,
    fit: Fit::Within,
    quality: 70,
};

/// The sizes of a picture of the catalogue, the smallest first.
pub static CATALOGUE: [Size; 4] = [SMALL, NAV, LISTING, WHOLE];
/// Every size.
static ALL: [Size; 7] = [SMALL, NAV, LISTING, DETAIL, THUMBNAIL, AVATAR, WHOLE];

impl Size {
    /// The size with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|size| size.name == name)
    }
}

const fn crop(name: &'static str, width: u32, height: u32, quality: u8) -> Size {
    Size {
        name,
        width,
        height,
        fit: Fit::Crop,
        quality,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_found_by_name_and_named_for_their_pixels() {
        for size in &ALL {
            assert_eq!(Size::named(size.name), Some(size));
            if size.fit == Fit::Crop {
                assert_eq!(size.name, format!("{}x{}", size.width, size.height));
            }
        }
        assert_eq!(Size::named("1x1"), None);
    }
}
