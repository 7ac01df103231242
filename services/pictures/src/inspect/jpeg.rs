//! The structure of a JPEG (ITU-T T.81, annex B): walks its markers up to the end without decoding a scan.

use std::borrow::Cow;

use super::{reader::Reader, trailer};
use crate::{
    Refusal,
    limits::MAX_SCANS,
    orientation::Orientation,
    structure::{Detail, Jpeg, Process, Structure, check_pixels},
};

pub(super) const MAGIC: &[u8] = b"\xff\xd8\xff";
/// The prefix of ICC profile segments; a sequence number and a count follow (ICC.1, annex B.4).
const PROFILE: &[u8] = b"ICC_PROFILE\0";
const EXIF: &[u8] = b"Exif\0\0";

/// The data collected by the walk.
#[derive(Debug, Default)]
struct Walk<'a> {
    jpeg: Jpeg,
    size: Option<(u32, u32)>,
    scans: u32,
    orientation: Orientation,
    profile: Vec<(u8, u8, &'a [u8])>,
    metadata: u64,
}

pub(super) fn structure(content: &[u8]) -> Result<Structure<'_>, Refusal> {
    let (mut walk, rest) = walk(content)?;
    trailer::check(rest, picture_behind)?;
    walk.jpeg.length = content.len() - rest.len() - 2;
    let (width, height) = walk.size.ok_or(Refusal::Damaged)?;
    if walk.scans == 0 {
        return Err(Refusal::Damaged);
    }
    Ok(Structure {
        width,
        height,
        orientation: walk.orientation,
        profile: assembled(walk.profile),
        metadata: walk.metadata,
        detail: Detail::Jpeg(walk.jpeg),
    })
}

/// Checks that the bytes begin with a valid JPEG and returns the bytes after it; `None` if they do not begin like a
/// JPEG.
fn picture_behind(rest: &[u8]) -> Option<Result<&[u8], Refusal>> {
    rest.starts_with(MAGIC)
        .then(|| walk(rest).map(|(_, after)| after))
}

/// Walks a JPEG's markers; also returns the bytes after its end.
fn walk(content: &[u8]) -> Result<(Walk<'_>, &[u8]), Refusal> {
    let mut reader = Reader::new(content);
    reader.take(2)?;
    let mut walk = Walk::default();
    loop {
        match marker(&mut reader)? {
            // The end marker.
            0xd9 => return Ok((walk, reader.rest)),
            // Restart markers and a second start marker are invalid outside a scan.
            0x00..=0x01 | 0xd0..=0xd8 => return Err(Refusal::Damaged),
            code => {
                let length = usize::from(reader.u16()?);
                let body = reader.take(length.checked_sub(2).ok_or(Refusal::Damaged)?)?;
                walk.segment(code, body)?;
                if code == 0xda {
                    let rest = after_scan(reader.rest)?;
                    walk.scanned(reader.rest.len() - rest.len())?;
                    reader.rest = rest;
                }
            }
        }
    }
}

/// The next marker's code; fill bytes of 0xff may precede it.
fn marker(reader: &mut Reader<'_>) -> Result<u8, Refusal> {
    if reader.byte()? != 0xff {
        return Err(Refusal::Damaged);
    }
    loop {
        match reader.byte()? {
            0xff => {}
            code => return Ok(code),
        }
    }
}

/// The bytes from the marker that ends a scan.
fn after_scan(content: &[u8]) -> Result<&[u8], Refusal> {
    let mut rest = content;
    while let Some(at) = rest.iter().position(|byte| *byte == 0xff) {
        match rest.get(at + 1) {
            // A stuffed byte or a restart marker: the scan continues.
            Some(0x00 | 0xd0..=0xd7) => rest = &rest[at + 2..],
            // A fill byte.
            Some(0xff) => rest = &rest[at + 1..],
            Some(_) => return Ok(&rest[at..]),
            None => break,
        }
    }
    Err(Refusal::Truncated)
}

impl<'a> Walk<'a> {
    fn segment(&mut self, code: u8, body: &'a [u8]) -> Result<(), Refusal> {
        match code {
            0xc0..=0xc2 => self.frame(code, body),
            // Lossless, hierarchical and arithmetic coding.
            0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf | 0xdc | 0xde | 0xdf => {
                Err(Refusal::RareJpeg)
            }
            0xda => self.scan(body),
            0xdd => {
                self.jpeg.restarts |= body.iter().any(|byte| *byte != 0);
                Ok(())
            }
            0xe0..=0xef | 0xfe => {
                self.metadata += body.len() as u64;
                self.application(code, body);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The frame header (B.2.2).
    fn frame(&mut self, code: u8, body: &[u8]) -> Result<(), Refusal> {
        if self.size.is_some() {
            return Err(Refusal::Damaged);
        }
        let mut body = Reader::new(body);
        let precision = body.byte()?;
        let (height, width) = (u32::from(body.u16()?), u32::from(body.u16()?));
        let count = body.byte()?;
        if precision != 8 || (height == 0 && width > 0) {
            return Err(Refusal::RareJpeg);
        }
        check_pixels(width, height)?;
        if !matches!(count, 1 | 3 | 4) {
            return Err(Refusal::RareJpeg);
        }
        for _ in 0..count {
            let [_, factors, _] = body.array()?;
            let (across, down) = (factors >> 4, factors & 15);
            if !(1..=4).contains(&across) || !(1..=4).contains(&down) {
                return Err(Refusal::Damaged);
            }
            self.jpeg.sampling.push((across, down));
        }
        if code == 0xc2 {
            self.jpeg.process = Process::Progressive;
        }
        self.size = Some((width, height));
        Ok(())
    }

    fn scan(&mut self, body: &[u8]) -> Result<(), Refusal> {
        let components = usize::from(*body.first().ok_or(Refusal::Damaged)?);
        if self.size.is_none() || components == 0 {
            return Err(Refusal::Damaged);
        }
        if self.scans == 0 {
            self.jpeg.interleaved = components == self.jpeg.sampling.len();
        }
        self.scans += 1;
        if self.scans > MAX_SCANS {
            return Err(Refusal::TooManyScans);
        }
        Ok(())
    }

    /// Checks that the first scan has at least the number of bits that its blocks require: one bit per block, and
    /// another for the end of the block in sequential files. This refuses a few bytes that claim to be a large picture.
    fn scanned(&self, bytes: usize) -> Result<(), Refusal> {
        let Some((width, height)) = self.size.filter(|_| self.scans == 1) else {
            return Ok(());
        };
        let most = |factors: fn(&(u8, u8)) -> u8| self.jpeg.sampling.iter().map(factors).max();
        let (across, down) = (most(|it| it.0).unwrap_or(1), most(|it| it.1).unwrap_or(1));
        let units = |side: u32, most: u8| u64::from(side.div_ceil(8 * u32::from(most)));
        let units = units(width, across) * units(height, down);
        let blocks = |(across, down): &(u8, u8)| u64::from(*across) * u64::from(*down);
        let blocks: u64 = if self.jpeg.interleaved && self.jpeg.sampling.len() > 1 {
            self.jpeg.sampling.iter().map(blocks).sum::<u64>() * units
        } else {
            // The blocks of a single component, without the blocks that pad its last units.
            units.saturating_sub(u64::from(width.max(height)))
        };
        let bits = match self.jpeg.process {
            Process::Sequential => 2,
            Process::Progressive => 1,
        };
        if (bytes as u64) * 8 < blocks * bits {
            return Err(Refusal::Truncated);
        }
        Ok(())
    }

    fn application(&mut self, code: u8, body: &'a [u8]) {
        if code == 0xe1
            && self.orientation == Orientation::default()
            && let Some(exif) = body.strip_prefix(EXIF)
        {
            self.orientation = Orientation::of_exif(exif);
        }
        if code == 0xe2
            && let Some([number, count, part @ ..]) = body.strip_prefix(PROFILE)
        {
            self.profile.push((*number, *count, part));
        }
        self.jpeg.adobe |= code == 0xee && body.starts_with(b"Adobe");
    }
}

/// Assembles a profile from its parts, if all parts exist.
fn assembled(mut parts: Vec<(u8, u8, &[u8])>) -> Option<Cow<'_, [u8]>> {
    parts.sort_by_key(|(number, ..)| *number);
    let is_whole = (1..=255).zip(&parts).all(|(expected, (number, count, _))| {
        *number == expected && usize::from(*count) == parts.len()
    });
    match parts.as_slice() {
        [] => None,
        _ if !is_whole || parts.len() > 255 => None,
        [(.., part)] => Some(Cow::Borrowed(part)),
        parts => {
            let parts: Vec<_> = parts.iter().map(|(.., part)| *part).collect();
            Some(Cow::Owned(parts.concat()))
        }
    }
}
