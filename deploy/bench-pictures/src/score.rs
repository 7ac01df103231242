//! Quality: the SSIM of each size against the same size of the original, resized with Lanczos.

use std::{fs, io::Cursor, path::Path};

use anyhow::{Context, anyhow};
use fast_image_resize::{
    ResizeOptions, Resizer,
    images::{TypedImage, TypedImageRef},
    pixels::U8x3,
};
use image_compare::{
    Algorithm, gray_similarity_structure,
    prelude::{GrayImage, Luma},
};
use serde_json::{Value, json};

use crate::COMPARED;

/// Pixels of red, green and blue.
struct Decoded {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// The SSIM and the bytes of each size in both folders.
pub(crate) fn compare(file: &Path, folders: [&Path; 2]) -> anyhow::Result<Value> {
    let original = decode(&fs::read(file)?)?;
    let mut all = Vec::new();
    for size in &COMPARED {
        for encoding in ["jpg", "webp"] {
            let score = |folder: &Path| {
                let path = folder.join(format!("{}.{encoding}", size.name));
                let content = fs::read(&path).with_context(|| path.display().to_string())?;
                let structure = structure(&original, &decode(&content)?)?;
                anyhow::Ok(json!([structure, content.len()]))
            };
            let [ours, theirs] = folders.map(score);
            all.push(json!({"encoding": encoding, "ours": ours?, "theirs": theirs?}));
        }
    }
    Ok(all.into())
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

/// Returns the SSIM; 1 is the original.
fn structure(original: &Decoded, made: &Decoded) -> anyhow::Result<f64> {
    let (width, height) = (original.width, original.height);
    let from = TypedImageRef::<U8x3>::from_buffer(width, height, &original.pixels)?;
    let mut resized = vec![0; made.pixels.len()];
    let mut to = TypedImage::<U8x3>::from_buffer(made.width, made.height, &mut resized)?;
    // The default filter is Lanczos3.
    Resizer::new().resize_typed(&from, &mut to, &ResizeOptions::new())?;
    let reference = grey(&resized, made.width, made.height);
    let made = grey(&made.pixels, made.width, made.height);
    let found = gray_similarity_structure(&Algorithm::MSSIMSimple, &reference, &made);
    Ok(found.map_err(|error| anyhow!("{error}"))?.score)
}

/// The brightness of each pixel (Rec. 601).
fn grey(pixels: &[u8], width: u32, height: u32) -> GrayImage {
    GrayImage::from_fn(width, height, |x, y| {
        let at = (y as usize * width as usize + x as usize) * 3;
        let [red, green, blue] = [0, 1, 2].map(|one| u32::from(pixels[at + one]));
        let sum = (red * 299 + green * 587 + blue * 114 + 500) / 1000;
        Luma([u8::try_from(sum).unwrap_or(u8::MAX)])
    })
}
