//! Inspection: what a file is, and whether it is safe to decode, from its structure alone.

mod foreign;
mod jpeg;
mod png;
mod reader;
mod trailer;
mod webp;

use std::borrow::Cow;

pub(crate) use self::{
    jpeg::{Jpeg, Process},
    png::Png,
    webp::WebP,
};
use crate::{Refusal, memory, orientation::Orientation};

/// The most bytes of a file: 25 MiB.
pub const MAX_BYTES: u64 = 25 * 1024 * 1024;
/// The most pixels of a picture.
pub const MAX_PIXELS: u64 = 50_000_000;
/// The most frames of a picture: animations are refused.
pub const MAX_FRAMES: u32 = 1;
/// The most scans of a JPEG; encoders write about ten.
pub const MAX_SCANS: u32 = 64;
/// The fewest pixels of each side.
pub const MIN_SIDE: u32 = 16;
/// The most pixels of each side, which is also that of the JPEG format.
const MAX_SIDE: u32 = 65_535;

/// A format that is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Baseline or progressive, of one, three or four components.
    Jpeg,
    /// PNG, without animation.
    Png,
    /// WebP, lossy or lossless, without animation.
    WebP,
}

/// A picture before it is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Its format.
    pub format: Format,
    /// Pixels, upright.
    pub width: u32,
    /// Pixels, upright.
    pub height: u32,
    /// The most bytes of memory that [`crate::make`] needs for it, the file itself not counted.
    pub memory: u64,
}

/// Looks at a file's structure and decodes no pixel. Bytes, pixels, frames and scans are bounded here.
pub fn inspect(content: &[u8]) -> Result<Header, Refusal> {
    Ok(Structure::of(content)?.header())
}

/// The structure of an accepted file.
#[derive(Debug)]
pub(crate) struct Structure<'a> {
    /// Pixels, as stored.
    pub(crate) width: u32,
    /// Pixels, as stored.
    pub(crate) height: u32,
    /// How the stored picture is turned upright.
    pub(crate) orientation: Orientation,
    /// The colour profile as it is stored: deflated in a PNG.
    pub(crate) profile: Option<Cow<'a, [u8]>>,
    /// Bytes of metadata and profiles, which decoders may copy.
    pub(crate) metadata: u64,
    /// What only its format has.
    pub(crate) detail: Detail,
}

/// What only one format has.
#[derive(Debug)]
pub(crate) enum Detail {
    Jpeg(Jpeg),
    Png(Png),
    WebP(WebP),
}

impl<'a> Structure<'a> {
    /// The structure of a file.
    pub(crate) fn of(content: &'a [u8]) -> Result<Self, Refusal> {
        if content.len() as u64 > MAX_BYTES {
            return Err(Refusal::TooManyBytes);
        }
        let structure = if content.starts_with(jpeg::MAGIC) {
            jpeg::structure(content)?
        } else if content.starts_with(png::MAGIC) {
            png::structure(content)?
        } else if webp::is_webp(content) {
            webp::structure(content)?
        } else {
            return Err(foreign::name(content));
        };
        foreign::refuse_polyglot(content)?;
        Ok(structure)
    }

    /// The picture's header.
    pub(crate) fn header(&self) -> Header {
        let (width, height) = self.orientation.upright(self.width, self.height);
        Header {
            format: match self.detail {
                Detail::Jpeg(_) => Format::Jpeg,
                Detail::Png(_) => Format::Png,
                Detail::WebP(_) => Format::WebP,
            },
            width,
            height,
            memory: memory::estimate(self),
        }
    }
}

/// Refuses pictures with too many or too few pixels.
fn check_pixels(width: u32, height: u32) -> Result<(), Refusal> {
    if width.max(height) > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(Refusal::TooManyPixels);
    }
    if width.min(height) < MIN_SIDE {
        return Err(Refusal::TooSmall);
    }
    Ok(())
}
