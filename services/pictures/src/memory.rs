//! Estimates the memory needed to make a picture.

use crate::{
    profile,
    structure::{Detail, Jpeg, Process, Structure},
};

/// The size of a decoded pixel, in bytes.
const PIXEL: u64 = 3;
/// The maximum number of pixels encoded at a time: the largest size.
const ENCODED: u64 = 1600 * 1600;
/// The memory for resizing and encoding, in bytes per such pixel.
const ENCODING: u64 = 24;
/// The memory for files, tables and everything else that does not depend on the picture's size, in bytes.
const FIXED: u64 = 6 * 1024 * 1024;

/// The maximum memory of [`crate::make()`], excluding the file itself, in bytes.
pub(crate) fn estimate(structure: &Structure<'_>) -> u64 {
    let (width, height) = (u64::from(structure.width), u64::from(structure.height));
    let pixels = width * height;
    let decoding = match &structure.detail {
        Detail::Jpeg(jpeg) => of_jpeg(jpeg, width, height),
        Detail::Png(png) if png.interlaced => pixels * 4 + png.row * 8,
        Detail::Png(png) => png.row * 8,
        // A lossless picture is first decoded to four samples per pixel, a lossy picture to planes.
        Detail::WebP(webp) if webp.lossless => pixels * 4 + pixels * 4,
        Detail::WebP(_) => pixels * 3 + pixels * 4,
    };
    // The decoded picture, and at most a quarter of it while it is reduced. The intermediate picture of resizing is as
    // high as the picture and as wide as the size, or vice versa.
    let held = pixels * PIXEL + pixels * PIXEL / 4;
    let resizing = (width.max(height) * 1600).min(pixels + ENCODED) * PIXEL;
    let colours = structure.profile.as_ref().map_or(0, |_| profile::MEMORY);
    let encoding = pixels.clamp(720 * 480, ENCODED) * ENCODING;
    // The JPEG decoder receives a copy of the scans, including the metadata.
    let copied = match &structure.detail {
        Detail::Jpeg(jpeg) => jpeg.length as u64,
        _ => 0,
    };
    decoding + held + resizing + encoding + colours + copied + structure.metadata + FIXED
}

fn of_jpeg(jpeg: &Jpeg, width: u64, height: u64) -> u64 {
    let most = |factors: fn(&(u8, u8)) -> u8| {
        u64::from(jpeg.sampling.iter().map(factors).max().unwrap_or(1))
    };
    let (across, down) = (most(|it| it.0), most(|it| it.1));
    let (columns, rows) = (width.div_ceil(8 * across), height.div_ceil(8 * down));
    let samples: u64 = jpeg
        .sampling
        .iter()
        .map(|(across, down)| columns * rows * u64::from(*across) * u64::from(*down) * 64)
        .sum();
    let coefficients = if jpeg.process == Process::Progressive || !jpeg.interleaved {
        samples * 2
    } else {
        0
    };
    let lines = columns * 8 * across * 8 * down * 2 * 8;
    if jpeg.is_fast() {
        coefficients + lines
    } else {
        // The planes, and the samples converted from them.
        coefficients + samples + width * height * jpeg.sampling.len() as u64 + lines
    }
}
