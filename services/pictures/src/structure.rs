//! The results of the inspection, for the memory estimate and the decoders.

use std::borrow::Cow;

use crate::{
    Refusal,
    limits::{MAX_PIXELS, MAX_SIDE, MIN_SIDE},
    orientation::Orientation,
};

/// The structure of an accepted file.
#[derive(Debug)]
pub(crate) struct Structure<'a> {
    /// The stored width, in pixels.
    pub(crate) width: u32,
    /// The stored height, in pixels.
    pub(crate) height: u32,
    /// How to turn the stored picture upright.
    pub(crate) orientation: Orientation,
    /// The colour profile as stored: compressed in a PNG.
    pub(crate) profile: Option<Cow<'a, [u8]>>,
    /// The size of metadata and profiles, which decoders may copy, in bytes.
    pub(crate) metadata: u64,
    /// The data specific to the format.
    pub(crate) detail: Detail,
}

/// The data specific to a format.
#[derive(Debug)]
pub(crate) enum Detail {
    Jpeg(Jpeg),
    Png(Png),
    WebP(WebP),
}

/// The data specific to JPEG.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jpeg {
    /// The coding process.
    pub(crate) process: Process,
    /// Whether the file has restart markers.
    pub(crate) restarts: bool,
    /// The horizontal and vertical sampling factors of each of the one, three or four components.
    pub(crate) sampling: Vec<(u8, u8)>,
    /// Whether the first scan contains all components; otherwise all coefficients must be held in memory.
    pub(crate) interleaved: bool,
    /// The number of bytes before the end marker.
    pub(crate) length: usize,
    /// Whether Adobe's segment exists, which means inverted CMYK.
    pub(crate) adobe: bool,
}

impl Jpeg {
    /// Whether the fast decoder supports the file. It does not support four components, unusual sampling, and
    /// progressive files with restart markers.
    pub(crate) fn is_fast(&self) -> bool {
        let is_usual = match self.sampling.as_slice() {
            [_] => true,
            [(1 | 2, 1 | 2), others @ ..] => {
                others.len() == 2 && others.iter().all(|it| *it == (1, 1))
            }
            _ => false,
        };
        is_usual && !(self.process == Process::Progressive && self.restarts)
    }
}

/// The coding process of a JPEG.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Process {
    /// Each block is coded once.
    #[default]
    Sequential,
    /// Scans refine the coefficients of blocks, which must all be held in memory.
    Progressive,
}

/// The data specific to PNG.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Png {
    /// Whether the picture is stored in seven passes, which require the whole picture in memory.
    pub(crate) interlaced: bool,
    /// Whether the samples are grey.
    pub(crate) grey: bool,
    /// The maximum size of a row before and after decoding, in bytes.
    pub(crate) row: u64,
}

/// The data specific to WebP.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WebP {
    /// Whether the compression is lossless.
    pub(crate) lossless: bool,
}

/// Refuses pictures with too many or too few pixels.
pub(crate) fn check_pixels(width: u32, height: u32) -> Result<(), Refusal> {
    if width.max(height) > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(Refusal::TooManyPixels);
    }
    if width.min(height) < MIN_SIDE {
        return Err(Refusal::TooSmall);
    }
    Ok(())
}
