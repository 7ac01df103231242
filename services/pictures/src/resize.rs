//! Resizes pictures.

use fast_image_resize::{
    FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer,
    images::{Image, ImageRef},
};

use crate::{
    Refusal,
    raster::{Raster, Window},
};

/// Resizes a window of a picture. The picture is the first `extent` pixels of the source, because a reduced picture
/// rarely ends with a whole pixel.
pub(crate) fn resized(
    source: &Raster,
    extent: (f64, f64),
    window: Window,
    (width, height): (u32, u32),
) -> Result<Raster, Refusal> {
    let from = ImageRef::new(source.width, source.height, &source.pixels, PixelType::U8x3);
    let from = from.map_err(|_| Refusal::Damaged)?;
    let mut to = Image::new(width, height, PixelType::U8x3);
    let across = extent.0.min(f64::from(source.width));
    let down = extent.1.min(f64::from(source.height));
    let (left, top) = (window.left.max(0.0) * across, window.top.max(0.0) * down);
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        .crop(
            left,
            top,
            (window.width * across).min(across - left),
            (window.height * down).min(down - top),
        );
    let done = Resizer::new().resize(&from, &mut to, &options);
    done.map_err(|_| Refusal::Damaged)?;
    Ok(Raster {
        width,
        height,
        pixels: to.into_vec(),
    })
}
