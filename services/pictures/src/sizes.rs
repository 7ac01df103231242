//! The sizes in which pictures are shown.

/// How a picture fills a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fit {
    /// Resized to cover the size, then cropped to exactly that size; a smaller picture is enlarged.
    Crop,
    /// Uncropped within the size; never enlarged.
    Within,
}

/// A size in which pictures are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// The size's name in addresses.
    pub name: &'static str,
    /// The width, in pixels.
    pub width: u32,
    /// The height, in pixels.
    pub height: u32,
    /// How a picture fills the size.
    pub fit: Fit,
    /// The quality of both encodings, 0 to 100.
    pub quality: u8,
}

/// A listing's picture.
pub const LISTING: Size = crop("720x480", 720, 480, 70);
/// A listing or article in a menu.
pub const NAV: Size = crop("600x400", 600, 400, 70);
/// A photo next to its text.
pub const DETAIL: Size = crop("610x610", 610, 610, 70);
/// A catalogue picture in a row, or a card on a small screen.
pub const SMALL: Size = crop("300x200", 300, 200, 70);
/// A photo in a list.
pub const THUMBNAIL: Size = crop("300x300", 300, 300, 70);
/// A reader's avatar.
pub const AVATAR: Size = crop("80x80", 80, 80, 80);
/// The whole picture, for wide screens, the viewer and downloads.
pub const WHOLE: Size = Size {
    name: "whole",
    width: 1600,
    height: 1600,
    fit: Fit::Within,
    quality: 70,
};

/// The sizes of a catalogue picture, smallest first.
pub static CATALOGUE: [Size; 4] = [SMALL, NAV, LISTING, WHOLE];
/// All sizes.
static ALL: [Size; 7] = [SMALL, NAV, LISTING, DETAIL, THUMBNAIL, AVATAR, WHOLE];

impl Size {
    /// The size with this name.
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
