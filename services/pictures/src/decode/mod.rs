//! Decoding: one picture of red, green and blue, reduced by a whole factor on the way.

mod jpeg;
mod png;
mod webp;

use crate::{
    Refusal,
    inspect::{Detail, Jpeg, Structure},
    profile::Colours,
    raster::Raster,
};

/// Decodes a picture as it is stored, reduced by a factor.
pub(crate) fn decode(
    content: &[u8],
    structure: &Structure<'_>,
    colours: &Colours,
    factor: u32,
) -> Result<Raster, Refusal> {
    match &structure.detail {
        Detail::Jpeg(jpeg) if jpeg::is_fast(jpeg) => jpeg::fast(content, structure, jpeg, factor),
        Detail::Jpeg(jpeg) => jpeg::thorough(content, structure, jpeg, colours, factor),
        Detail::Png(png) => png::decode(content, structure, *png, factor),
        Detail::WebP(_) => webp::decode(content, structure, factor),
    }
}

/// Whether a JPEG needs the decoder that holds planes beside pixels.
pub(crate) fn is_reduced_by_decoder(jpeg: &Jpeg) -> bool {
    !jpeg::is_fast(jpeg)
}

/// A sample composed over white.
fn over_white(sample: u8, alpha: u8) -> u8 {
    let alpha = u32::from(alpha);
    let sum = u32::from(sample) * alpha + 255 * (255 - alpha) + 127;
    // A weighted mean of bytes is a byte.
    u8::try_from(sum / 255).unwrap_or(u8::MAX)
}
