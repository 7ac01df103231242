//! JPEG decoding. The fast decoder handles nearly all files, but not four components, unusual sampling, and progressive
//! files with restart markers (<https://github.com/etemesi254/zune-image/issues/359>).

use jpeg_decoder::{Decoder, PixelFormat};
use zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
use zune_jpeg::JpegDecoder;

use crate::{
    Refusal,
    limits::MAX_SCANS,
    profile::Colours,
    raster::Raster,
    reduce::{Reducer, reduced},
    structure::{Jpeg, Process, Structure},
};

/// Zeros that replace the end marker. The fast decoder accepts a truncated scan if it finds the end marker, but not if
/// the file ends; its read-ahead is shorter than these zeros.
const BEHIND: [u8; 16] = [0; 16];

/// The end marker, which the fast decoder requires after the last of several scans.
const END: &[u8] = b"\xff\xd9";

/// Decodes with the fast decoder.
pub(super) fn fast(
    content: &[u8],
    structure: &Structure<'_>,
    jpeg: &Jpeg,
    factor: u32,
) -> Result<Raster, Refusal> {
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(structure.width as usize)
        .set_max_height(structure.height as usize)
        .jpeg_set_max_scans(MAX_SCANS as usize)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let begin = content.get(..jpeg.length).ok_or(Refusal::Damaged)?;
    let padded = match jpeg.process {
        Process::Sequential => [begin, &BEHIND].concat(),
        Process::Progressive => [begin, END].concat(),
    };
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(padded), options);
    let pixels = decoder.decode().map_err(|_| Refusal::Damaged)?;
    let whole = Raster {
        width: structure.width,
        height: structure.height,
        pixels,
    };
    if whole.pixels.len() as u64 != u64::from(whole.width) * u64::from(whole.height) * 3 {
        return Err(Refusal::Damaged);
    }
    Ok(reduced(whole, factor))
}

/// Decodes with the slower decoder, which can itself reduce by 2, 4 or 8.
pub(super) fn thorough(
    content: &[u8],
    structure: &Structure<'_>,
    jpeg: &Jpeg,
    colours: &Colours,
    factor: u32,
) -> Result<Raster, Refusal> {
    let side = |stored: u32| u16::try_from(stored.div_ceil(factor)).map_err(|_| Refusal::Damaged);
    let mut decoder = Decoder::new(content);
    let scaled = decoder.scale(side(structure.width)?, side(structure.height)?);
    let (width, height) = scaled.map_err(|_| Refusal::Damaged)?;
    let samples = decoder.decode().map_err(|_| Refusal::Damaged)?;
    let count = match decoder.info().map(|info| info.pixel_format) {
        Some(PixelFormat::L8) => 1,
        Some(PixelFormat::RGB24) => 3,
        Some(PixelFormat::CMYK32) => 4,
        _ => return Err(Refusal::Damaged),
    };
    let mut rows = Reducer::new(u32::from(width), u32::from(height), 1);
    let mut row = vec![0; usize::from(width) * 3];
    for stored in samples.chunks_exact(usize::from(width) * count) {
        match count {
            1 => {
                for (rgb, grey) in row.chunks_exact_mut(3).zip(stored) {
                    rgb.fill(*grey);
                }
            }
            3 => row.copy_from_slice(stored),
            _ => colours.cmyk_row(stored, jpeg.adobe, &mut row),
        }
        rows.push(&row);
    }
    rows.finish()
}
