//! WebP decoding.

use std::io::Cursor;

use image_webp::WebPDecoder;

use crate::{
    Refusal,
    raster::{Raster, over_white},
    reduce::{Reducer, reduced},
    structure::Structure,
};

/// The memory limit of the decoder for metadata, which is not read, in bytes.
const LIMIT: usize = 1024 * 1024;

pub(super) fn decode(
    content: &[u8],
    structure: &Structure<'_>,
    factor: u32,
) -> Result<Raster, Refusal> {
    let mut decoder = WebPDecoder::new(Cursor::new(content)).map_err(|_| Refusal::Damaged)?;
    decoder.set_memory_limit(LIMIT);
    let (width, height) = decoder.dimensions();
    if (width, height) != (structure.width, structure.height) {
        return Err(Refusal::Damaged);
    }
    let size = decoder.output_buffer_size().ok_or(Refusal::Damaged)?;
    let has_alpha = decoder.has_alpha();
    let mut pixels = vec![0; size];
    decoder
        .read_image(&mut pixels)
        .map_err(|_| Refusal::Damaged)?;
    if !has_alpha {
        let whole = Raster {
            width,
            height,
            pixels,
        };
        return Ok(reduced(whole, factor));
    }
    let mut rows = Reducer::new(width, height, factor);
    let mut row = vec![0; width as usize * 3];
    for stored in pixels.chunks_exact(width as usize * 4) {
        for (rgb, [red, green, blue, alpha]) in row.chunks_exact_mut(3).zip(stored.as_chunks().0) {
            let samples = [*red, *green, *blue];
            rgb.copy_from_slice(&samples.map(|sample| over_white(sample, *alpha)));
        }
        rows.push(&row);
    }
    rows.finish()
}
