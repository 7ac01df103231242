//! Decodes pictures to RGB, reducing them by an integer factor in the process.

mod jpeg;
mod png;
mod webp;

use crate::{
    Refusal,
    profile::Colours,
    raster::Raster,
    structure::{Detail, Structure},
};

/// Decodes a picture in its stored orientation, reduced by a factor.
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
