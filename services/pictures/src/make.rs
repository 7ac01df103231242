//! Making all files of a picture.

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

/// The longer side of the picture that a placeholder is made of.
const PLACEHOLDER: u32 = 100;
/// A picture is reduced to no less than this many times the size that is made of it: the filter that follows has
/// enough to choose from, and the result looks as if made of the original.
const MARGIN: f64 = 2.0;
/// As above for small sizes, of which a larger part is edges.
const MARGIN_OF_SMALL: f64 = 4.0;
/// The longer side of the largest of them.
const SMALL: u32 = 300;

/// One of a picture's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The size that was asked for.
    pub size: &'static Size,
    /// How it is encoded.
    pub encoding: Encoding,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// The file itself.
    pub content: Vec<u8>,
}

/// A picture in every size that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Pixels of the original, upright.
    pub width: u32,
    /// Pixels of the original, upright.
    pub height: u32,
    /// A placeholder of some 25 bytes (`ThumbHash`) to show until the picture is there.
    pub thumbhash: Vec<u8>,
    /// Both encodings of every size, in the order of the sizes.
    pub files: Vec<File>,
}

/// Inspects a file, decodes it once, turns it upright and makes every size of it as JPEG and WebP.
pub fn make(content: &[u8], sizes: &[&'static Size]) -> Result<Made, Refusal> {
    let structure = structure(content)?;
    // Decoders read what strangers have written: one that panics has found the file damaged.
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
    // Some decoders reduce by powers of two alone.
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

/// How a size is made.
#[derive(Debug)]
struct Plan {
    /// Its place in the order that was asked for.
    at: usize,
    size: &'static Size,
    /// Pixels to make.
    pixels: (u32, u32),
    /// Pixels to choose from, for each pixel of the original.
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

/// The size of a picture within another, never enlarged, and its scale.
fn within(picture: (u32, u32), most: (u32, u32)) -> ((u32, u32), f64) {
    let ratio = |most, side| f64::from(most) / f64::from(side);
    let scale = ratio(most.0, picture.0)
        .min(ratio(most.1, picture.1))
        .min(1.0);
    let side = |side: u32, most: u32| {
        // A rounded side of 16 bits.
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

/// By how much a picture of one scale may be reduced if so much of it is needed.
fn factor(from: f64, needed: f64) -> u32 {
    let reached = |factor: &u32| from / f64::from(*factor) >= needed;
    (2..=MAX_FACTOR).take_while(reached).last().unwrap_or(1)
}

/// The decoded picture, reduced further as sizes become smaller.
struct Levels {
    stored: Raster,
    /// By how much it is reduced.
    factor: u32,
    /// Pixels of the original, upright.
    picture: (u32, u32),
    orientation: Orientation,
}

impl Levels {
    /// One size of the picture. The sizes that need the most pixels are made first.
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
