//! Colour profiles: a profile that matters and is small is kept; otherwise the picture is converted to sRGB.

use std::{borrow::Cow, io::Read, sync::Arc};

use flate2::read::ZlibDecoder;
use moxcms::{
    ColorProfile, DataColorSpace, Layout, ProfileText, TransformExecutor, TransformOptions,
};

use crate::{
    raster::Raster,
    structure::{Detail, Structure},
};

/// The maximum size of a profile that is read, in bytes; printer profiles have some hundred kilobytes.
const MAX_READ: usize = 4 * 1024 * 1024;
/// The maximum size of a profile that is embedded in every file, in bytes; camera and screen profiles have a few
/// hundred bytes.
const MAX_KEPT: usize = 16 * 1024;
/// The maximum memory for a profile and its tables, in bytes.
pub(crate) const MEMORY: u64 = 48 * 1024 * 1024;
/// The maximum difference of a sample with which a profile counts as sRGB.
const SAME: u8 = 3;

/// The treatment of a picture's colours.
#[derive(Default)]
pub(crate) struct Colours {
    /// The profile to embed in every file.
    pub(crate) kept: Option<Vec<u8>>,
    conversion: Option<Conversion>,
}

type Executor = Arc<dyn TransformExecutor<u8> + Send + Sync>;

enum Conversion {
    Grey(Box<[u8; 768]>),
    Rgb(Executor),
    Cmyk(Executor),
}

/// The colour model of a picture's samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Samples {
    Grey,
    Rgb,
    Cmyk,
}

impl Colours {
    /// The colours of a picture. A profile that is damaged or for another colour model is ignored.
    pub(crate) fn of(structure: &Structure<'_>) -> Self {
        stored(structure)
            .filter(|profile| profile.len() <= MAX_READ)
            .and_then(|profile| Self::of_profile(&profile, samples(structure)))
            .unwrap_or_default()
    }

    fn of_profile(stored: &[u8], samples: Samples) -> Option<Self> {
        let profile = ColorProfile::new_from_slice(stored).ok()?;
        let srgb = ColorProfile::new_srgb();
        let executor = |from| {
            let options = TransformOptions::default();
            profile
                .create_transform_8bit(from, &srgb, Layout::Rgb, options)
                .ok()
        };
        match (samples, profile.color_space) {
            (Samples::Grey, DataColorSpace::Gray) => {
                let levels: Vec<u8> = (0..=255).collect();
                let mut table = Box::new([0; 768]);
                executor(Layout::Gray)?
                    .transform(&levels, table.as_mut_slice())
                    .ok()?;
                Some(Self::converted(Conversion::Grey(table)))
            }
            (Samples::Cmyk, DataColorSpace::Cmyk) => {
                Some(Self::converted(Conversion::Cmyk(executor(Layout::Rgba)?)))
            }
            (Samples::Grey | Samples::Rgb, DataColorSpace::Rgb) => {
                let executor = executor(Layout::Rgb)?;
                if is_srgb(&executor) {
                    return None;
                }
                match colours_only(&profile).encode() {
                    Ok(kept) if kept.len() <= MAX_KEPT && profile.is_matrix_shaper() => {
                        Some(Self {
                            kept: Some(kept),
                            conversion: None,
                        })
                    }
                    _ => Some(Self::converted(Conversion::Rgb(executor))),
                }
            }
            _ => None,
        }
    }

    fn converted(conversion: Conversion) -> Self {
        Self {
            kept: None,
            conversion: Some(conversion),
        }
    }

    /// Converts a decoded picture, except CMYK.
    pub(crate) fn convert(&self, raster: &mut Raster) {
        match &self.conversion {
            Some(Conversion::Grey(table)) => {
                for pixel in raster.pixels.chunks_exact_mut(3) {
                    let at = usize::from(pixel[0]) * 3;
                    pixel.copy_from_slice(&table[at..at + 3]);
                }
            }
            Some(Conversion::Rgb(executor)) => {
                let length = raster.width as usize * 3;
                let mut from = vec![0; length];
                for row in raster.pixels.chunks_exact_mut(length) {
                    from.copy_from_slice(row);
                    // This fails only for lengths that are not whole pixels, which cannot occur here.
                    if executor.transform(&from, row).is_err() {
                        row.copy_from_slice(&from);
                    }
                }
            }
            Some(Conversion::Cmyk(_)) | None => {}
        }
    }

    /// Converts a row of CMYK as returned by the decoder, which treats all CMYK as Adobe's.
    pub(crate) fn cmyk_row(&self, stored: &[u8], adobe: bool, row: &mut [u8]) {
        let inks: Cow<'_, [u8]> = if adobe {
            Cow::Borrowed(stored)
        } else {
            stored.iter().map(|ink| 255 - ink).collect()
        };
        if let Some(Conversion::Cmyk(executor)) = &self.conversion
            && executor.transform(&inks, row).is_ok()
        {
            return;
        }
        for (rgb, [inks @ .., black]) in row.chunks_exact_mut(3).zip(inks.as_chunks::<4>().0) {
            let light = u16::from(255 - black);
            for (sample, ink) in rgb.iter_mut().zip(inks) {
                let product = u16::from(255 - ink) * light;
                *sample = u8::try_from(product / 255).unwrap_or(u8::MAX);
            }
        }
    }
}

/// The profile without its texts and other data that does not describe colours.
fn colours_only(profile: &ColorProfile) -> ColorProfile {
    let mut colours = ColorProfile::new_srgb();
    colours.description = Some(ProfileText::PlainString("Colours".to_owned()));
    colours.copyright = Some(ProfileText::PlainString("None".to_owned()));
    colours.cicp = None;
    colours.rendering_intent = profile.rendering_intent;
    colours.red_colorant = profile.red_colorant;
    colours.green_colorant = profile.green_colorant;
    colours.blue_colorant = profile.blue_colorant;
    colours.white_point = profile.white_point;
    colours.media_white_point = profile.media_white_point;
    colours.chromatic_adaptation = profile.chromatic_adaptation;
    colours.red_trc.clone_from(&profile.red_trc);
    colours.green_trc.clone_from(&profile.green_trc);
    colours.blue_trc.clone_from(&profile.blue_trc);
    colours
}

/// Whether colours look the same with and without a profile.
fn is_srgb(executor: &Executor) -> bool {
    let levels = [0, 51, 102, 153, 204, 255];
    let colours: Vec<u8> = levels
        .iter()
        .flat_map(|red| levels.iter().map(move |green| (red, green)))
        .flat_map(|(red, green)| levels.iter().flat_map(move |blue| [*red, *green, *blue]))
        .collect();
    let mut shown = vec![0; colours.len()];
    executor.transform(&colours, &mut shown).is_ok()
        && colours
            .iter()
            .zip(&shown)
            .all(|(it, shown)| it.abs_diff(*shown) <= SAME)
}

/// The uncompressed profile.
fn stored<'a>(structure: &'a Structure<'_>) -> Option<Cow<'a, [u8]>> {
    let stored = structure.profile.as_deref()?;
    if !matches!(structure.detail, Detail::Png(_)) {
        return Some(Cow::Borrowed(stored));
    }
    // A name, a zero byte, and the compression method; only one is defined.
    let name = stored.iter().take(80).position(|byte| *byte == 0)?;
    let deflated = stored[name + 1..].strip_prefix(&[0])?;
    let mut profile = Vec::new();
    let most = MAX_READ as u64 + 1;
    ZlibDecoder::new(deflated)
        .take(most)
        .read_to_end(&mut profile)
        .ok()?;
    Some(Cow::Owned(profile))
}

fn samples(structure: &Structure<'_>) -> Samples {
    match &structure.detail {
        Detail::Jpeg(jpeg) => match jpeg.sampling.len() {
            1 => Samples::Grey,
            4 => Samples::Cmyk,
            _ => Samples::Rgb,
        },
        Detail::Png(png) if png.grey => Samples::Grey,
        Detail::Png(_) | Detail::WebP(_) => Samples::Rgb,
    }
}
