//! Encodes pictures.

mod jpeg;
mod webp;

use crate::{Refusal, raster::Raster};

/// An encoding; every size is made in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// For every client.
    Jpeg,
    /// Smaller; for clients that support it.
    WebP,
}

impl Encoding {
    /// Both encodings.
    pub const ALL: [Self; 2] = [Self::Jpeg, Self::WebP];

    /// The file extension, without the dot.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
        }
    }

    /// The media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
        }
    }

    /// Encodes a picture with its colour profile.
    pub(crate) fn encode(
        self,
        raster: &Raster,
        quality: u8,
        profile: Option<&[u8]>,
    ) -> Result<Vec<u8>, Refusal> {
        match self {
            Self::Jpeg => jpeg::encode(raster, quality, profile),
            Self::WebP => webp::encode(raster, quality, profile),
        }
    }
}
