//! Bytes after the end of a JPEG. Phones append a JPEG with a picture's brightness for HDR displays, a short film, or
//! Samsung's notes. Anything else makes the file a polyglot. The appended data is never decoded.

use super::reader::Reader;
use crate::Refusal;

/// The maximum number of parts after a picture.
const MAX_PARTS: usize = 16;

/// Returns the bytes after a picture; `None` if the bytes do not begin with a picture.
type PictureBehind = fn(&[u8]) -> Option<Result<&[u8], Refusal>>;

/// Refuses bytes after a picture, unless they are parts that phones append.
pub(super) fn check(rest: &[u8], picture_behind: PictureBehind) -> Result<(), Refusal> {
    let mut rest = without_samsung(rest);
    for _ in 0..MAX_PARTS {
        rest = rest.trim_zeros();
        if rest.is_empty() {
            return Ok(());
        }
        let after = if let Some(after) = picture_behind(rest) {
            after
        } else if rest.get(4..8) == Some(b"ftyp") {
            after_film(rest)
        } else {
            Err(Refusal::Polyglot)
        };
        rest = after.map_err(|_| Refusal::Polyglot)?;
    }
    Err(Refusal::Polyglot)
}

trait TrimZeros {
    fn trim_zeros(&self) -> &Self;
}

impl TrimZeros for [u8] {
    /// Some encoders pad parts with zeros; a film begins with zeros that belong to it.
    fn trim_zeros(&self) -> &Self {
        if self.get(4..8) == Some(b"ftyp") {
            return self;
        }
        let zeros = self.iter().take_while(|byte| **byte == 0).count();
        let film = self[..zeros.min(self.len())].len().saturating_sub(3);
        if self.get(film + 4..film + 8) == Some(b"ftyp") {
            return &self[film..];
        }
        &self[zeros..]
    }
}

/// The bytes after the boxes of a film (ISO/IEC 14496-12, 4.2).
fn after_film(content: &[u8]) -> Result<&[u8], Refusal> {
    let mut reader = Reader::new(content);
    while reader
        .rest
        .get(4..8)
        .is_some_and(|kind| kind.iter().all(u8::is_ascii_graphic))
    {
        let (length, _) = (reader.u32()?, reader.u32()?);
        let body = match length {
            1 => {
                let length = (u64::from(reader.u32()?) << 32) | u64::from(reader.u32()?);
                usize::try_from(length)
                    .ok()
                    .and_then(|length| length.checked_sub(16))
            }
            length => (length as usize).checked_sub(8),
        };
        reader.take(body.ok_or(Refusal::Damaged)?)?;
    }
    Ok(reader.rest)
}

/// Removes Samsung's notes, which are located from the end: an end mark, preceded by the length of a directory, whose
/// entries state how far before the directory each note begins.
fn without_samsung(content: &[u8]) -> &[u8] {
    samsung(content).map_or(content, |before| &content[..before])
}

fn samsung(content: &[u8]) -> Option<usize> {
    let body = content.strip_suffix(b"SEFT")?;
    let (body, length) = body.split_last_chunk::<4>()?;
    let begin = body
        .len()
        .checked_sub(u32::from_le_bytes(*length) as usize)?;
    let mut directory = Reader::new(body[begin..].strip_prefix(b"SEFH")?);
    directory.u32_le().ok()?;
    let count = directory.u32_le().ok()?;
    let mut first = begin;
    for _ in 0..count.min(64) {
        directory.u32_le().ok()?;
        let back = directory.u32_le().ok()? as usize;
        first = first.min(begin.checked_sub(back)?);
        directory.u32_le().ok()?;
    }
    Some(first)
}
