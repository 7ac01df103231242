//! The limits of files and pictures.

/// The maximum file size, in bytes: 25 MiB.
pub const MAX_BYTES: u64 = 25 * 1024 * 1024;
/// The maximum number of pixels.
pub const MAX_PIXELS: u64 = 50_000_000;
/// The maximum number of frames: animations are refused.
pub const MAX_FRAMES: u32 = 1;
/// The maximum number of scans of a JPEG; encoders write about ten.
pub const MAX_SCANS: u32 = 64;
/// The minimum length of each side, in pixels.
pub const MIN_SIDE: u32 = 16;
/// The maximum length of each side, in pixels; also the limit of the JPEG format.
pub(crate) const MAX_SIDE: u32 = 65_535;
