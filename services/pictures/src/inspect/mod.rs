//! Inspection: what a file is, and whether it is safe to decode, from its structure alone.

mod foreign;
mod jpeg;
mod png;
mod reader;
mod trailer;
mod webp;

use crate::{
    Refusal,
    limits::MAX_BYTES,
    memory,
    structure::{Detail, Structure},
};

/// A format that is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Baseline or progressive, of one, three or four components.
    Jpeg,
    /// PNG, without animation.
    Png,
    /// WebP, lossy or lossless, without animation.
    WebP,
}

/// A picture before it is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Its format.
    pub format: Format,
    /// Pixels, upright.
    pub width: u32,
    /// Pixels, upright.
    pub height: u32,
    /// The most bytes of memory that [`crate::make`] needs for it, the file itself not counted.
    pub memory: u64,
}

/// Looks at a file's structure and decodes no pixel. Bytes, pixels, frames and scans are bounded here.
pub fn inspect(content: &[u8]) -> Result<Header, Refusal> {
    Ok(header(&structure(content)?))
}

/// The structure of a file.
pub(crate) fn structure(content: &[u8]) -> Result<Structure<'_>, Refusal> {
    if content.len() as u64 > MAX_BYTES {
        return Err(Refusal::TooManyBytes);
    }
    let structure = if content.starts_with(jpeg::MAGIC) {
        jpeg::structure(content)?
    } else if content.starts_with(png::MAGIC) {
        png::structure(content)?
    } else if webp::is_webp(content) {
        webp::structure(content)?
    } else {
        return Err(foreign::name(content));
    };
    foreign::refuse_polyglot(content)?;
    Ok(structure)
}

/// The header of a picture.
pub(crate) fn header(structure: &Structure<'_>) -> Header {
    let (width, height) = structure
        .orientation
        .upright(structure.width, structure.height);
    Header {
        format: match structure.detail {
            Detail::Jpeg(_) => Format::Jpeg,
            Detail::Png(_) => Format::Png,
            Detail::WebP(_) => Format::WebP,
        },
        width,
        height,
        memory: memory::estimate(structure),
    }
}
