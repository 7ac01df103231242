//! Quality: SSIMULACRA2 and SSIM of each size against the same size of the original, made with care.

use std::{fs, io::Cursor, path::Path};

use anyhow::{Context, anyhow, ensure};
use fast_image_resize::{
    FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer,
    images::{Image, ImageRef},
};
use fast_ssim2::{PixelDescriptor, PixelSlice, compute_ssimulacra2};
use image_compare::{
    Algorithm, gray_similarity_structure,
    prelude::{GrayImage, Luma},
};
use serde::Serialize;

use crate::COMPARED;

/// A size in one encoding.
#[derive(Debug, Serialize)]
pub(crate) struct Compared {
    size: &'static str,
    encoding: &'static str,
    /// SSIMULACRA2: 100 is the original, 70 is high quality.
    ours: f64,
    theirs: f64,
    /// SSIM of the brightness: 1 is the original.
    structure_ours: f64,
    structure_theirs: f64,
    bytes_ours: usize,
    bytes_theirs: usize,
}

/// Pixels of red, green and blue.
struct Decoded {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

pub(crate) fn compare(file: &Path, ours: &Path, theirs: &Path) -> anyhow::Result<Vec<Compared>> {
    let original = decode(&fs::read(file)?)?;
    let mut all = Vec::new();
    for size in &COMPARED {
        let mut reference: Option<Decoded> = None;
        for encoding in ["jpg", "webp"] {
            let name = format!("{}.{encoding}", size.name);
            let read = |folder: &Path| {
                let path = folder.join(&name);
                fs::read(&path).with_context(|| format!("{} is missing", path.display()))
            };
            let (mine, other) = (read(ours)?, read(theirs)?);
            let (left, right) = (decode(&mine)?, decode(&other)?);
            ensure!(
                (left.width, left.height) == (right.width, right.height),
                "{name} has two sizes"
            );
            let reference = match &mut reference {
                Some(reference) => reference,
                none => none.insert(resized(&original, left.width, left.height)?),
            };
            all.push(Compared {
                size: size.name,
                encoding,
                ours: score(reference, &left)?,
                theirs: score(reference, &right)?,
                structure_ours: structure(reference, &left)?,
                structure_theirs: structure(reference, &right)?,
                bytes_ours: mine.len(),
                bytes_theirs: other.len(),
            });
        }
    }
    Ok(all)
}

fn decode(content: &[u8]) -> anyhow::Result<Decoded> {
    if content.starts_with(b"RIFF") {
        let mut decoder = image_webp::WebPDecoder::new(Cursor::new(content))?;
        let (width, height) = decoder.dimensions();
        let size = decoder.output_buffer_size().context("too large")?;
        let mut pixels = vec![0; size];
        decoder.read_image(&mut pixels)?;
        return Ok(Decoded {
            width,
            height,
            pixels,
        });
    }
    let mut decoder = jpeg_decoder::Decoder::new(content);
    let pixels = decoder.decode()?;
    let info = decoder.info().context("no header")?;
    Ok(Decoded {
        width: info.width.into(),
        height: info.height.into(),
        pixels,
    })
}

fn resized(original: &Decoded, width: u32, height: u32) -> anyhow::Result<Decoded> {
    let from = ImageRef::new(
        original.width,
        original.height,
        &original.pixels,
        PixelType::U8x3,
    )?;
    let mut to = Image::new(width, height, PixelType::U8x3);
    let filter = ResizeAlg::Convolution(FilterType::Lanczos3);
    let options = ResizeOptions::new().resize_alg(filter);
    Resizer::new().resize(&from, &mut to, &options)?;
    Ok(Decoded {
        width,
        height,
        pixels: to.into_vec(),
    })
}

fn score(reference: &Decoded, made: &Decoded) -> anyhow::Result<f64> {
    let slice = |picture| pixels(picture);
    compute_ssimulacra2(&slice(reference)?, &slice(made)?).map_err(|error| anyhow!("{error}"))
}

fn pixels(picture: &Decoded) -> anyhow::Result<PixelSlice<'_>> {
    let stride = usize::try_from(picture.width)? * 3;
    let kind = PixelDescriptor::RGB8_SRGB;
    PixelSlice::new(&picture.pixels, picture.width, picture.height, stride, kind)
        .map_err(|error| anyhow!("{error}"))
}

fn structure(reference: &Decoded, made: &Decoded) -> anyhow::Result<f64> {
    let found = gray_similarity_structure(&Algorithm::MSSIMSimple, &grey(reference), &grey(made));
    Ok(found.map_err(|error| anyhow!("{error}"))?.score)
}

/// The brightness of each pixel (Rec. 601).
fn grey(picture: &Decoded) -> GrayImage {
    GrayImage::from_fn(picture.width, picture.height, |x, y| {
        let at = (y as usize * picture.width as usize + x as usize) * 3;
        let [red, green, blue] = [0, 1, 2].map(|one| u32::from(picture.pixels[at + one]));
        let sum = (red * 299 + green * 587 + blue * 114 + 500) / 1000;
        Luma([u8::try_from(sum).unwrap_or(u8::MAX)])
    })
}
