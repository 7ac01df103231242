//! The structure of a WebP (RFC 9649): its chunks, and the sizes in its headers.

use std::borrow::Cow;

use super::reader::Reader;
use crate::{
    Refusal,
    orientation::Orientation,
    structure::{Detail, Structure, WebP, check_pixels},
};

const RIFF: &[u8] = b"RIFF";
/// The number of bytes that the length of a RIFF file does not include.
const UNCOUNTED: usize = 8;
/// The flag for an animation in the extended header.
const ANIMATED: u8 = 2;

pub(super) fn is_webp(content: &[u8]) -> bool {
    content.starts_with(RIFF) && content.get(8..12).is_none_or(|kind| kind == b"WEBP")
}

pub(super) fn structure(content: &[u8]) -> Result<Structure<'_>, Refusal> {
    let mut reader = Reader::new(content);
    reader.take(RIFF.len())?;
    let length = reader.u32_le()? as usize;
    reader.take(4)?;
    // The length must be even, and some encoders do not count the padding byte.
    match content.len().checked_sub(UNCOUNTED) {
        Some(counted) if counted < length => return Err(Refusal::Truncated),
        Some(counted) if counted > length + length % 2 => return Err(Refusal::Polyglot),
        _ => {}
    }
    let mut walk = Walk::default();
    while !reader.rest.is_empty() {
        let kind: [u8; 4] = reader.array()?;
        let length = reader.u32_le()? as usize;
        let body = reader.take(length)?;
        if length % 2 == 1 && !reader.rest.is_empty() {
            reader.take(1)?;
        }
        walk.chunk(kind, body)?;
    }
    walk.structure()
}

#[derive(Debug, Default)]
struct Walk<'a> {
    canvas: Option<(u32, u32)>,
    frame: Option<(u32, u32)>,
    lossless: bool,
    orientation: Orientation,
    profile: Option<Cow<'a, [u8]>>,
    metadata: u64,
}

impl<'a> Walk<'a> {
    fn chunk(&mut self, kind: [u8; 4], body: &'a [u8]) -> Result<(), Refusal> {
        match &kind {
            b"VP8X" => self.extended(body),
            b"VP8 " => self.pixels(lossy_size(body)?, false),
            b"VP8L" => self.pixels(lossless_size(body)?, true),
            b"ANIM" | b"ANMF" => Err(Refusal::Animated),
            other => {
                self.metadata += body.len() as u64;
                match other {
                    b"ICCP" => self.profile = Some(Cow::Borrowed(body)),
                    b"EXIF" => {
                        let body = body.strip_prefix(b"Exif\0\0").unwrap_or(body);
                        self.orientation = Orientation::of_exif(body);
                    }
                    _ => {}
                }
                Ok(())
            }
        }
    }

    fn extended(&mut self, body: &[u8]) -> Result<(), Refusal> {
        let [flags, _, _, _, w0, w1, w2, h0, h1, h2] = Reader::new(body).array()?;
        if flags & ANIMATED != 0 {
            return Err(Refusal::Animated);
        }
        let width = u32::from_le_bytes([w0, w1, w2, 0]) + 1;
        let height = u32::from_le_bytes([h0, h1, h2, 0]) + 1;
        check_pixels(width, height)?;
        self.canvas = Some((width, height));
        Ok(())
    }

    fn pixels(&mut self, size: (u32, u32), lossless: bool) -> Result<(), Refusal> {
        if self.frame.is_some() {
            return Err(Refusal::Damaged);
        }
        check_pixels(size.0, size.1)?;
        self.frame = Some(size);
        self.lossless = lossless;
        Ok(())
    }

    fn structure(self) -> Result<Structure<'a>, Refusal> {
        let (width, height) = self.frame.ok_or(Refusal::Damaged)?;
        if self.canvas.is_some_and(|canvas| canvas != (width, height)) {
            return Err(Refusal::Damaged);
        }
        Ok(Structure {
            width,
            height,
            orientation: self.orientation,
            profile: self.profile,
            metadata: self.metadata,
            detail: Detail::WebP(WebP {
                lossless: self.lossless,
            }),
        })
    }
}

/// The size in the header of a VP8 key frame (RFC 6386, section 9.1).
fn lossy_size(body: &[u8]) -> Result<(u32, u32), Refusal> {
    let [tag, _, _, 0x9d, 0x01, 0x2a, w0, w1, h0, h1] = Reader::new(body).array()? else {
        return Err(Refusal::Damaged);
    };
    if tag & 1 != 0 {
        return Err(Refusal::Damaged);
    }
    let side = |low, high| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
    Ok((side(w0, w1), side(h0, h1)))
}

/// The size in the header of a lossless stream (RFC 9649, section 3.4).
fn lossless_size(body: &[u8]) -> Result<(u32, u32), Refusal> {
    let [0x2f, bits @ ..] = Reader::new(body).array::<5>()? else {
        return Err(Refusal::Damaged);
    };
    let bits = u32::from_le_bytes(bits);
    if bits >> 29 != 0 {
        return Err(Refusal::Damaged);
    }
    Ok(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
}
