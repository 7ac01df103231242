//! The picture pipeline for all raster pictures: readers' photos, avatars, and editorial and imported pictures. A file
//! is inspected without decoding a pixel, decoded once, turned upright and encoded in every requested size. Its colour
//! profile is kept; all other metadata is dropped.
//!
//! All functions are pure, synchronous and CPU-bound: callers must run them on a thread for blocking work.

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
