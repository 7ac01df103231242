//! Generated pictures in the format of cameras.

use jpeg_encoder::{ColorType, Encoder};

/// Returns a JPEG of this size; each seed results in a different picture.
///
/// # Panics
/// If a dimension is zero or too large for a JPEG.
#[must_use]
pub fn jpeg(width: u16, height: u16, seed: u8) -> Vec<u8> {
    let mut pixels = Vec::with_capacity(usize::from(width) * usize::from(height) * 3);
    for y in 0..height {
        for x in 0..width {
            let [low, high] = x.wrapping_mul(y / 8 + 1).to_le_bytes();
            pixels.extend([low.wrapping_add(seed), high, seed]);
        }
    }
    let mut file = Vec::new();
    Encoder::new(&mut file, 80)
        .encode(&pixels, width, height, ColorType::Rgb)
        .unwrap_or_else(|error| panic!("a JPEG: {error}"));
    file
}
