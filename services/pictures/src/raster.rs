//! Decoded pictures.

/// A decoded picture with one byte each for red, green and blue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Raster {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<u8>,
}

/// A part of a picture, as fractions of its width and height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Window {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Window {
    /// The whole picture.
    pub(crate) const WHOLE: Self = Self {
        left: 0.0,
        top: 0.0,
        width: 1.0,
        height: 1.0,
    };
}

/// Composes a sample over white.
pub(crate) fn over_white(sample: u8, alpha: u8) -> u8 {
    let alpha = u32::from(alpha);
    let sum = u32::from(sample) * alpha + 255 * (255 - alpha) + 127;
    // A weighted mean of bytes fits into a byte.
    u8::try_from(sum / 255).unwrap_or(u8::MAX)
}
