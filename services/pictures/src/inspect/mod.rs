//! Inspection: determines from a file's structure alone whether it is a picture that is safe to decode.

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

/// An accepted format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Baseline or progressive JPEG with one, three or four components.
    Jpeg,
    /// PNG, without animation.
    Png,
    /// WebP, lossy or lossless, without animation.
    WebP,
}

/// The properties of a picture before decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// The picture's format.
    pub format: Format,
    /// The upright width, in pixels.
    pub width: u32,
    /// The upright height, in pixels.
    pub height: u32,
    /// The maximum memory that [`crate::make()`] needs, excluding the file itself, in bytes.
    pub memory: u64,
}

/// Inspects a file's structure without decoding pixels. Enforces the limits on bytes, pixels, frames and scans.
pub fn inspect(content: &[u8]) -> Result<Header, Refusal> {
    Ok(header(&structure(content)?))
}

/// Parses and validates the structure of a file.
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
