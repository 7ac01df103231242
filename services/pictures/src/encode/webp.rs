//! WebP encoding (RFC 9649).

use webp::{Encoder, WebPConfig};

use crate::{Refusal, raster::Raster};

/// The effort of the encoder, 0 to 6: a higher effort does not reduce the files enough to be worth the time.
const METHOD: i32 = 2;
/// The quality, of 100, that is added because this effort is lower than the encoder's default of 4.
const MISSING: f32 = 3.0;
/// The effort for small pictures, which take very little time.
const METHOD_OF_SMALL: i32 = 4;
/// The maximum number of pixels of a small picture.
const SMALL: u32 = 300 * 300;
/// The flag for a colour profile in the extended header.
const HAS_PROFILE: u8 = 0x20;

pub(super) fn encode(
    raster: &Raster,
    quality: u8,
    profile: Option<&[u8]>,
) -> Result<Vec<u8>, Refusal> {
    let mut config = WebPConfig::new().map_err(|()| Refusal::Damaged)?;
    (config.method, config.quality) = if raster.width * raster.height <= SMALL {
        (METHOD_OF_SMALL, f32::from(quality))
    } else {
        (METHOD, f32::from(quality) + MISSING)
    };
    let source = Encoder::from_rgb(&raster.pixels, raster.width, raster.height);
    let encoded = source
        .encode_advanced(&config)
        .map_err(|_| Refusal::Damaged)?;
    match profile {
        Some(profile) => extended(raster, &encoded, profile),
        None => Ok(encoded.to_vec()),
    }
}

/// The file with an extended header and a colour profile before the pixels.
fn extended(raster: &Raster, simple: &[u8], profile: &[u8]) -> Result<Vec<u8>, Refusal> {
    let pixels = simple.get(12..).ok_or(Refusal::Damaged)?;
    let mut header = vec![HAS_PROFILE, 0, 0, 0];
    for side in [raster.width, raster.height] {
        header.extend_from_slice(&(side - 1).to_le_bytes()[..3]);
    }
    let mut body = b"WEBP".to_vec();
    chunk(&mut body, *b"VP8X", &header)?;
    chunk(&mut body, *b"ICCP", profile)?;
    body.extend_from_slice(pixels);
    let mut content = Vec::with_capacity(body.len() + 8);
    chunk(&mut content, *b"RIFF", &body)?;
    Ok(content)
}

fn chunk(to: &mut Vec<u8>, kind: [u8; 4], body: &[u8]) -> Result<(), Refusal> {
    let length = u32::try_from(body.len()).map_err(|_| Refusal::Damaged)?;
    to.extend_from_slice(&kind);
    to.extend_from_slice(&length.to_le_bytes());
    to.extend_from_slice(body);
    if body.len() % 2 == 1 {
        to.push(0);
    }
    Ok(())
}
