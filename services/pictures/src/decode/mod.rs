//! Decoding: one picture of red, green and blue, reduced by a whole factor on the way.

mod jpeg;
mod png;
mod webp;

use crate::{
    Refusal,
    profile::Colours,
    raster::Raster,
    structure::{Detail, Structure},
};

/// Decodes a picture as it is stored, reduced by a factor.
pub(crate) fn decode(
    content: &[u8],
    structure: &Structure<'_>,
    colours: &Colours,
    factor: u32,
) -> Result<Raster, Refusal> {
    match &structure.detail {
        Detail::Jpeg(jpeg) if jpeg.is_fast() => jpeg::fast(content, structure, jpeg, factor),
        Detail::Jpeg(jpeg) => jpeg::thorough(content, structure, jpeg, colours, factor),
        Detail::Png(png) => png::decode(content, structure, *png, factor),
        Detail::WebP(_) => webp::decode(content, structure, factor),
    }
}
