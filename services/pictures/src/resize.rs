//! Resizes pictures.

use fast_image_resize::{
    FilterType, ResizeAlg, ResizeOptions, Resizer,
    images::{TypedImage, TypedImageRef},
    pixels::U8x3,
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
    // With the type of pixels known here, the compiler generates the resizing of this type only instead of thirteen.
    let from = TypedImageRef::<U8x3>::from_buffer(source.width, source.height, &source.pixels);
    let from = from.map_err(|_| Refusal::Damaged)?;
    let mut pixels = vec![0; 3 * width as usize * height as usize];
    let to = TypedImage::<U8x3>::from_buffer(width, height, &mut pixels);
    let mut to = to.map_err(|_| Refusal::Damaged)?;
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
    let done = Resizer::new().resize_typed(&from, &mut to, &options);
    done.map_err(|_| Refusal::Damaged)?;
    Ok(Raster {
        width,
        height,
        pixels,
    })
}
