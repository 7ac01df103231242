//! The pipeline of pictures: every raster picture goes through it, be it a reader's photo, an avatar, or an
//! editorial or imported picture. A file is inspected without decoding a pixel, decoded once, turned upright
//! and encoded in every size that is asked for. Its colour profile is kept, everything else about it is dropped.
//!
//! All functions are pure and synchronous, and take their time: callers run them on a thread for blocking work.

mod catalogue;
mod crop;
mod decode;
mod encode;
mod inspect;
mod limits;
mod make;
mod memory;
mod orientation;
mod profile;
mod raster;
mod reduce;
mod refusal;
mod resize;
mod sizes;
mod structure;

pub use self::{
    catalogue::CataloguePicture,
    encode::Encoding,
    inspect::{Format, Header, inspect},
    limits::{MAX_BYTES, MAX_FRAMES, MAX_PIXELS, MAX_SCANS, MIN_SIDE},
    make::{File, Made, make},
    refusal::Refusal,
    sizes::{AVATAR, CATALOGUE, DETAIL, Fit, LISTING, NAV, SMALL, Size, THUMBNAIL, WHOLE},
};
