//! JPEG encoding.

use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, SamplingFactor};

use crate::{Refusal, raster::Raster};

pub(super) fn encode(
    raster: &Raster,
    quality: u8,
    profile: Option<&[u8]>,
) -> Result<Vec<u8>, Refusal> {
    let mut content = Vec::new();
    let mut encoder = Encoder::new(&mut content, quality);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    encoder.set_optimized_huffman_tables(true);
    if let Some(profile) = profile {
        encoder
            .add_icc_profile(profile)
            .map_err(|_| Refusal::Damaged)?;
    }
    let side = |pixels| u16::try_from(pixels).map_err(|_| Refusal::TooManyPixels);
    let (width, height) = (side(raster.width)?, side(raster.height)?);
    let done = encoder.encode(&raster.pixels, width, height, ColorType::Rgb);
    done.map_err(|_| Refusal::Damaged)?;
    Ok(content)
}
