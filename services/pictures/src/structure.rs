//! What inspection finds, for the estimate of memory and the decoders.

use std::borrow::Cow;

use crate::{
    Refusal,
    limits::{MAX_PIXELS, MAX_SIDE, MIN_SIDE},
    orientation::Orientation,
};

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

/// What only a JPEG has.
#[derive(Debug, Clone, Default)]
pub(crate) struct Jpeg {
    /// How it is coded.
    pub(crate) process: Process,
    /// Whether it has restart markers.
    pub(crate) restarts: bool,
    /// Horizontal and vertical sampling factors of each component: one, three or four of them.
    pub(crate) sampling: Vec<(u8, u8)>,
    /// Whether a scan holds all components; else their coefficients are all in memory.
    pub(crate) interleaved: bool,
    /// Bytes before the marker of its end.
    pub(crate) length: usize,
    /// Whether Adobe's segment is there, whose CMYK is inverted.
    pub(crate) adobe: bool,
}

impl Jpeg {
    /// Whether the fast decoder takes it. It has no answer to four components, odd sampling, and progressive files
    /// with restart markers.
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

/// How a JPEG is coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Process {
    /// Every block once.
    #[default]
    Sequential,
    /// Scans refine the coefficients of blocks, which then all are in memory.
    Progressive,
}

/// What only a PNG has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Png {
    /// Whether it is stored in seven passes, which need the whole picture in memory.
    pub(crate) interlaced: bool,
    /// Whether its samples are grey.
    pub(crate) grey: bool,
    /// The most bytes of a row before and after decoding.
    pub(crate) row: u64,
}

/// What only a WebP has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WebP {
    /// Whether it is stored without loss.
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
