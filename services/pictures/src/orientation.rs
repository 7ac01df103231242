//! EXIF orientations: how to turn a stored picture upright.

use crate::raster::{Raster, Window};

/// The EXIF tag of the orientation (Exif 3.0, 4.6.5.1).
const TAG: u16 = 0x0112;

/// How to turn a stored picture upright: swap its axes, then reverse its stored columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Orientation {
    swapped: bool,
    columns_reversed: bool,
    rows_reversed: bool,
}

impl Orientation {
    /// The orientation with an EXIF number, 1 to 8; any other number leaves the picture unchanged.
    fn numbered(number: u16) -> Self {
        Self {
            swapped: matches!(number, 5..=8),
            columns_reversed: matches!(number, 2 | 3 | 7 | 8),
            rows_reversed: matches!(number, 3 | 4 | 6 | 7),
        }
    }

    /// The orientation in EXIF data: a TIFF file whose first directory contains the tag. Damaged EXIF data is ignored:
    /// it is not a reason to refuse a picture.
    pub(crate) fn of_exif(exif: &[u8]) -> Self {
        exif_number(exif).map_or_else(Self::default, Self::numbered)
    }

    /// The upright size of a stored size.
    pub(crate) fn upright(self, width: u32, height: u32) -> (u32, u32) {
        if self.swapped {
            (height, width)
        } else {
            (width, height)
        }
    }

    /// The stored size of an upright size.
    pub(crate) fn stored(self, width: u32, height: u32) -> (u32, u32) {
        self.upright(width, height)
    }

    /// The window of the stored picture that corresponds to a window of the upright picture.
    pub(crate) fn stored_window(self, window: Window) -> Window {
        let mut stored = window;
        if self.swapped {
            stored = Window {
                left: window.top,
                top: window.left,
                width: window.height,
                height: window.width,
            };
        }
        if self.columns_reversed {
            stored.left = 1.0 - stored.left - stored.width;
        }
        if self.rows_reversed {
            stored.top = 1.0 - stored.top - stored.height;
        }
        stored
    }

    /// Turns a picture upright.
    pub(crate) fn apply(self, stored: Raster) -> Raster {
        if self == Self::default() {
            return stored;
        }
        let (width, height) = self.upright(stored.width, stored.height);
        let mut pixels = Vec::with_capacity(stored.pixels.len());
        let (across, down) = (stored.width as usize, stored.height as usize);
        for y in 0..height as usize {
            for x in 0..width as usize {
                let (mut column, mut row) = if self.swapped { (y, x) } else { (x, y) };
                if self.columns_reversed {
                    column = across - 1 - column;
                }
                if self.rows_reversed {
                    row = down - 1 - row;
                }
                let at = (row * across + column) * 3;
                pixels.extend_from_slice(&stored.pixels[at..at + 3]);
            }
        }
        Raster {
            width,
            height,
            pixels,
        }
    }
}

fn exif_number(exif: &[u8]) -> Option<u16> {
    let big = match exif.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = *exif.get(at..)?.first_chunk()?;
        Some(if big {
            u16::from_be_bytes(bytes)
        } else {
            u16::from_le_bytes(bytes)
        })
    };
    let long = |at: usize| {
        let (first, second) = (u32::from(short(at)?), u32::from(short(at + 2)?));
        Some(if big {
            first << 16 | second
        } else {
            second << 16 | first
        })
    };
    let directory = long(4)? as usize;
    let count = usize::from(short(directory)?);
    (0..count)
        .map_while(|entry| {
            let at = directory.checked_add(2 + entry * 12)?;
            Some((short(at)?, short(at + 8)?))
        })
        .find_map(|(tag, value)| (tag == TAG).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_orientation_is_applied_as_its_window_is() {
        let stored = Raster {
            width: 3,
            height: 2,
            pixels: (0..6).flat_map(|value| [value; 3]).collect(),
        };
        let expected: [(u32, [u8; 6]); 8] = [
            (3, [0, 1, 2, 3, 4, 5]),
            (3, [2, 1, 0, 5, 4, 3]),
            (3, [5, 4, 3, 2, 1, 0]),
            (3, [3, 4, 5, 0, 1, 2]),
            (2, [0, 3, 1, 4, 2, 5]),
            (2, [3, 0, 4, 1, 5, 2]),
            (2, [5, 2, 4, 1, 3, 0]),
            (2, [2, 5, 1, 4, 0, 3]),
        ];
        for (number, (width, values)) in (1..).zip(expected) {
            let orientation = Orientation::numbered(number);
            let upright = orientation.apply(stored.clone());
            let found: Vec<u8> = upright.pixels.chunks(3).map(|pixel| pixel[0]).collect();
            assert_eq!(
                (upright.width, &found[..]),
                (width, &values[..]),
                "{number}"
            );
            // Locates the first upright pixel with its window.
            let (across, down) = (f64::from(upright.width), f64::from(upright.height));
            let window = orientation.stored_window(Window {
                left: 0.0,
                top: 0.0,
                width: 1.0 / across,
                height: 1.0 / down,
            });
            let at = (window.top * 2.0).round() * 3.0 + (window.left * 3.0).round();
            assert!((at - f64::from(values[0])).abs() < 0.1, "{number}");
        }
        assert_eq!(Orientation::numbered(9), Orientation::default());
    }

    #[test]
    fn damaged_exif_names_no_orientation() {
        let none = Orientation::default();
        for exif in [
            &b""[..],
            b"MM\0*",
            b"MM\0*\xff\xff\xff\xff",
            b"MM\0*\0\0\0\x08\xff\xff",
            b"II*\0\x08\0\0\0\x01\0\x12\x01",
        ] {
            assert_eq!(Orientation::of_exif(exif), none);
        }
        let right = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
        assert_eq!(Orientation::of_exif(right), Orientation::numbered(6));
    }
}
