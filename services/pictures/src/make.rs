//! Makes all files of a picture.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    Encoding, Fit, Refusal, Size, crop,
    decode::decode,
    inspect::{header, structure},
    orientation::Orientation,
    profile::Colours,
    raster::{Raster, Window},
    reduce::{MAX_FACTOR, reduced},
    resize::resized,
    structure::Structure,
};

/// The longer side of the picture from which the placeholder is made.
const PLACEHOLDER: u32 = 100;
/// The minimum size of a reduced picture, relative to the size made from it: the resizing filter then has enough
/// pixels, and the result looks as if it were made from the original.
const MARGIN: f64 = 2.0;
/// Like [`MARGIN`], for small sizes, in which edges are a larger part of the picture.
const MARGIN_OF_SMALL: f64 = 4.0;
/// The maximum length of the longer side of a small size.
const SMALL: u32 = 300;

/// A file of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The requested size.
    pub size: &'static Size,
    /// The file's encoding.
    pub encoding: Encoding,
    /// The width, in pixels.
    pub width: u32,
    /// The height, in pixels.
    pub height: u32,
    /// The content of the file.
    pub content: Vec<u8>,
}

/// A picture in every requested size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The upright width of the original, in pixels.
    pub width: u32,
    /// The upright height of the original, in pixels.
    pub height: u32,
    /// A placeholder of about 25 bytes (`ThumbHash`), shown until the picture has loaded.
    pub thumbhash: Vec<u8>,
    /// Both encodings of each size, in the order of the sizes.
    pub files: Vec<File>,
}

/// Inspects a file, decodes it once, turns it upright and makes each size as JPEG and WebP.
pub fn make(content: &[u8], sizes: &[&'static Size]) -> Result<Made, Refusal> {
    let structure = structure(content)?;
    // Decoders process untrusted data: a panic means that the file is damaged.
    let made = catch_unwind(AssertUnwindSafe(|| make_all(content, &structure, sizes)));
    made.unwrap_or(Err(Refusal::Damaged))
}

fn make_all(
    content: &[u8],
    structure: &Structure<'_>,
    sizes: &[&'static Size],
) -> Result<Made, Refusal> {
    let header = header(structure);
    let picture = (header.width, header.height);
    let mut plans: Vec<Plan> = (0..)
        .zip(sizes)
        .map(|(at, size)| Plan::new(at, size, picture))
        .collect();
    plans.sort_by(|one, other| other.needed.total_cmp(&one.needed));
    let needed = plans.first().map_or(0.0, |plan| plan.needed);
    let needed = needed.max(within(picture, (crop::SEARCHED, crop::SEARCHED)).1 * MARGIN);

    let colours = Colours::of(structure);
    let most = factor(1.0, needed);
    let mut stored = decode(content, structure, &colours, most)?;
    colours.convert(&mut stored);
    // Some decoders reduce only by powers of two.
    let (width, height) = structure.orientation.stored(picture.0, picture.1);
    let is_reached =
        |by: &u32| (width.div_ceil(*by), height.div_ceil(*by)) == (stored.width, stored.height);
    let factor = (1..=most).rev().find(is_reached);
    let factor = factor.ok_or(Refusal::Damaged)?;
    let mut levels = Levels {
        stored,
        factor,
        picture,
        orientation: structure.orientation,
    };
    let small = levels.small(crop::SEARCHED)?;
    let thumbhash = placeholder(&levels.small(PLACEHOLDER)?);
    let detail = crop::Detail::of(&small);
    let mut files = Vec::with_capacity(plans.len() * Encoding::ALL.len());
    for plan in plans {
        let raster = levels.made(&plan, &detail)?;
        for encoding in Encoding::ALL {
            let content = encoding.encode(&raster, plan.size.quality, colours.kept.as_deref())?;
            let (width, height) = (raster.width, raster.height);
            let file = File {
                size: plan.size,
                encoding,
                width,
                height,
                content,
            };
            files.push((plan.at, file));
        }
    }
    files.sort_by_key(|(at, _)| *at);
    Ok(Made {
        width: header.width,
        height: header.height,
        thumbhash,
        files: files.into_iter().map(|(_, file)| file).collect(),
    })
}

/// How to make a size.
#[derive(Debug)]
struct Plan {
    /// The position in the requested order.
    at: usize,
    size: &'static Size,
    /// The pixels of the result.
    pixels: (u32, u32),
    /// The minimum resolution needed, relative to the original.
    needed: f64,
}

impl Plan {
    fn new(at: usize, size: &'static Size, picture: (u32, u32)) -> Self {
        let wanted = (size.width, size.height);
        let (pixels, scale) = match size.fit {
            Fit::Crop => {
                let ratio = |wanted, side| f64::from(wanted) / f64::from(side);
                (
                    wanted,
                    ratio(wanted.0, picture.0).max(ratio(wanted.1, picture.1)),
                )
            }
            Fit::Within => within(picture, wanted),
        };
        let margin = if pixels.0.max(pixels.1) <= SMALL {
            MARGIN_OF_SMALL
        } else {
            MARGIN
        };
        Self {
            at,
            size,
            pixels,
            needed: scale * margin,
        }
    }
}

/// Returns the size to which a picture is reduced to fit within `most`, and the scale. It is never enlarged.
fn within(picture: (u32, u32), most: (u32, u32)) -> ((u32, u32), f64) {
    let ratio = |most, side| f64::from(most) / f64::from(side);
    let scale = ratio(most.0, picture.0)
        .min(ratio(most.1, picture.1))
        .min(1.0);
    let side = |side: u32, most: u32| {
        // A rounded side of at most 16 bits.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is bounded"
        )]
        let scaled = (f64::from(side) * scale).round() as u32;
        scaled.clamp(1, most)
    };
    ((side(picture.0, most.0), side(picture.1, most.1)), scale)
}

/// The factor by which a picture with the scale `from` can be reduced if the scale `needed` is required.
fn factor(from: f64, needed: f64) -> u32 {
    let reached = |factor: &u32| from / f64::from(*factor) >= needed;
    (2..=MAX_FACTOR).take_while(reached).last().unwrap_or(1)
}

/// The decoded picture, reduced further for smaller sizes.
struct Levels {
    stored: Raster,
    /// The factor by which the picture is reduced.
    factor: u32,
    /// The upright size of the original, in pixels.
    picture: (u32, u32),
    orientation: Orientation,
}

impl Levels {
    /// Makes a size of the picture. Sizes that need the most pixels must be made first.
    fn made(&mut self, plan: &Plan, detail: &crop::Detail) -> Result<Raster, Refusal> {
        let factor = factor(1.0 / f64::from(self.factor), plan.needed);
        if factor > 1 {
            let empty = Raster {
                width: 0,
                height: 0,
                pixels: Vec::new(),
            };
            self.stored = reduced(std::mem::replace(&mut self.stored, empty), factor);
            self.factor *= factor;
        }
        let window = match plan.size.fit {
            Fit::Crop => detail.window(self.picture, plan.pixels),
            Fit::Within => Window::WHOLE,
        };
        self.upright(window, plan.pixels)
    }

    /// A small version of the whole picture.
    fn small(&self, most: u32) -> Result<Raster, Refusal> {
        let (pixels, _) = within(self.picture, (most, most));
        self.upright(Window::WHOLE, pixels)
    }

    fn upright(&self, window: Window, pixels: (u32, u32)) -> Result<Raster, Refusal> {
        let size = self.orientation.stored(pixels.0, pixels.1);
        let window = self.orientation.stored_window(window);
        let (width, height) = self.orientation.stored(self.picture.0, self.picture.1);
        let reduced = |side| f64::from(side) / f64::from(self.factor);
        let extent = (reduced(width), reduced(height));
        let stored = resized(&self.stored, extent, window, size)?;
        Ok(self.orientation.apply(stored))
    }
}

fn placeholder(small: &Raster) -> Vec<u8> {
    let pixels = small.pixels.as_chunks::<3>().0.iter();
    let pixels: Vec<u8> = pixels
        .flat_map(|[red, green, blue]| [*red, *green, *blue, 255])
        .collect();
    thumbhash::rgba_to_thumb_hash(small.width as usize, small.height as usize, &pixels)
}
