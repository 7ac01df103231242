//! The reasons why a file is not accepted as a picture.

use crate::limits::{MAX_BYTES, MAX_PIXELS, MAX_SCANS, MIN_SIDE};

/// Bytes in a mebibyte.
const MIB: u64 = 1024 * 1024;
/// Pixels in a megapixel.
const MEGAPIXEL: u64 = 1_000_000;

/// The reason why a file is not accepted as a picture, as a sentence for the reader who sent it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// The file has no signature of a picture format.
    #[error("The file is not a picture: send a JPEG, PNG or WebP.")]
    NotAPicture,
    /// A vector picture, which may contain scripts.
    #[error("An SVG is a drawing, not a photo: send a JPEG, PNG or WebP.")]
    Svg,
    /// The format of iPhones, for which there is no decoder that is safe for untrusted files.
    #[error(
        "HEIC pictures cannot be read: send a JPEG instead. On an iPhone, choose Settings › Camera › Formats › Most Compatible, or share the photo as a JPEG."
    )]
    Heic,
    /// There is no AVIF decoder yet that is safe for untrusted files.
    #[error("AVIF pictures cannot be read: save the picture as a JPEG, PNG or WebP.")]
    Avif,
    /// A picture in another format.
    #[error("The picture’s format is not supported: save it as a JPEG, PNG or WebP.")]
    OtherFormat,
    /// A JPEG with arithmetic coding, 12 bits, lossless or hierarchical coding, or an unknown number of lines.
    #[error("The picture is a rare kind of JPEG: save it again as an ordinary JPEG.")]
    RareJpeg,
    /// More than one frame.
    #[error("The picture is animated: send one that stands still.")]
    Animated,
    /// More than [`MAX_BYTES`].
    #[error("The picture’s file is too large: it may have {} MiB.", MAX_BYTES / MIB)]
    TooManyBytes,
    /// More than [`MAX_PIXELS`], or a side longer than any camera produces.
    #[error("The picture has too many pixels: it may have {} megapixels.", MAX_PIXELS / MEGAPIXEL)]
    TooManyPixels,
    /// More than [`MAX_SCANS`].
    #[error(
        "The picture is stored in too many passes: it may have {MAX_SCANS}. Save it again as an ordinary JPEG."
    )]
    TooManyScans,
    /// A side shorter than [`MIN_SIDE`].
    #[error("The picture is too small: each side needs at least {MIN_SIDE} pixels.")]
    TooSmall,
    /// The file ends before the picture does.
    #[error("The picture is damaged: its file ends too early.")]
    Truncated,
    /// The file is also a valid file of another type.
    #[error("The file holds something besides the picture: save the picture again and send that.")]
    Polyglot,
    /// The file contradicts its format.
    #[error("The picture is damaged: it cannot be decoded.")]
    Damaged,
}

impl Refusal {
    /// A stable machine-readable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAPicture => "not-a-picture",
            Self::Svg => "svg",
            Self::Heic => "heic",
            Self::Avif => "avif",
            Self::OtherFormat => "other-format",
            Self::RareJpeg => "rare-jpeg",
            Self::Animated => "animated",
            Self::TooManyBytes => "too-many-bytes",
            Self::TooManyPixels => "too-many-pixels",
            Self::TooManyScans => "too-many-scans",
            Self::TooSmall => "too-small",
            Self::Truncated => "truncated",
            Self::Polyglot => "polyglot",
            Self::Damaged => "damaged",
        }
    }
}
