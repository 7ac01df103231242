//! The structure of a PNG (PNG Specification, Third Edition): all chunks, with their checksums.

use std::borrow::Cow;

use super::reader::Reader;
use crate::{
    Refusal,
    orientation::Orientation,
    structure::{Detail, Png, Structure, check_pixels},
};

pub(super) const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The maximum chunk length of the format.
const MAX_CHUNK: u32 = i32::MAX as u32;

pub(super) fn structure(content: &[u8]) -> Result<Structure<'_>, Refusal> {
    let mut reader = Reader::new(content);
    reader.take(MAGIC.len())?;
    let (kind, header) = chunk(&mut reader)?;
    if &kind != b"IHDR" {
        return Err(Refusal::Damaged);
    }
    let mut structure = header_structure(header)?;
    let mut has_pixels = false;
    loop {
        let (kind, body) = chunk(&mut reader)?;
        match &kind {
            b"IEND" => break,
            b"IDAT" => has_pixels = true,
            b"IHDR" => return Err(Refusal::Damaged),
            b"acTL" | b"fcTL" | b"fdAT" => return Err(Refusal::Animated),
            b"PLTE" => {}
            other => {
                structure.metadata += body.len() as u64;
                match other {
                    b"eXIf" => structure.orientation = Orientation::of_exif(body),
                    b"iCCP" => structure.profile = Some(Cow::Borrowed(body)),
                    _ => {}
                }
            }
        }
    }
    match (reader.rest, has_pixels) {
        (_, false) => Err(Refusal::Damaged),
        ([], true) => Ok(structure),
        _ => Err(Refusal::Polyglot),
    }
}

/// The kind and body of the next chunk.
fn chunk<'a>(reader: &mut Reader<'a>) -> Result<([u8; 4], &'a [u8]), Refusal> {
    let length = reader.u32()?;
    if length > MAX_CHUNK {
        return Err(Refusal::Damaged);
    }
    let checked = *reader;
    let kind: [u8; 4] = reader.array()?;
    if !kind.iter().all(u8::is_ascii_alphabetic) {
        return Err(Refusal::Damaged);
    }
    let body = reader.take(length as usize)?;
    let sum = reader.u32()?;
    if crc32fast::hash(&checked.rest[..4 + body.len()]) != sum {
        return Err(Refusal::Damaged);
    }
    Ok((kind, body))
}

fn header_structure(header: &[u8]) -> Result<Structure<'static>, Refusal> {
    let mut header = Reader::new(header);
    let (width, height) = (header.u32()?, header.u32()?);
    let [depth, colour, compression, filter, interlace] = header.array()?;
    check_pixels(width, height)?;
    let samples = match (colour, depth) {
        (0, 1 | 2 | 4 | 8 | 16) | (3, 1 | 2 | 4 | 8) => 1,
        (2, 8 | 16) => 3,
        (4, 8 | 16) => 2,
        (6, 8 | 16) => 4,
        _ => return Err(Refusal::Damaged),
    };
    if compression != 0 || filter != 0 || interlace > 1 || !header.rest.is_empty() {
        return Err(Refusal::Damaged);
    }
    // A palette and a transparent colour are decoded to up to four samples of one byte.
    let stored = (samples * u64::from(depth)).div_ceil(8);
    Ok(Structure {
        width,
        height,
        orientation: Orientation::default(),
        profile: None,
        metadata: 0,
        detail: Detail::Png(Png {
            interlaced: interlace == 1,
            grey: matches!(colour, 0 | 4),
            row: u64::from(width) * stored.max(4),
        }),
    })
}
