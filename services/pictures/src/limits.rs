//! The bounds of files and pictures.

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
pub(crate) const MAX_SIDE: u32 = 65_535;
