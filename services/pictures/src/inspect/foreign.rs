//! Detects files that are not pictures, or not only pictures.

use crate::Refusal;

/// The number of bytes within which PDF and HTML readers look for a file's start.
const SNIFFED: usize = 1024;
/// The length of the record at the end of a ZIP file, which a comment follows.
const ZIP_END: usize = 22;
/// The maximum length of a ZIP file's comment.
const ZIP_COMMENT: usize = 65_535;

/// Signatures of other picture formats.
const OTHER: [&[u8]; 9] = [
    b"GIF8",
    b"BM",
    b"II*\0",
    b"MM\0*",
    b"8BPS",
    b"\xff\x0a",
    b"\0\0\0\x0cJXL ",
    b"\0\0\0\x0cjP  ",
    b"\0\0\x01\0",
];
/// Brands of HEIF files whose pictures are, or may be, HEVC.
const HEIC: [&[u8; 4]; 9] = [
    b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"mif1", b"msf1",
];
const AVIF: [&[u8; 4]; 2] = [b"avif", b"avis"];
/// Texts that make a browser or an interpreter accept a file.
const SCRIPTS: [&[u8]; 5] = [b"%PDF-", b"<!doctype", b"<html", b"<script", b"<?php"];

/// The refusal of a file without an accepted signature.
pub(super) fn name(content: &[u8]) -> Refusal {
    if let Some(refusal) = heif(content) {
        refusal
    } else if is_svg(content) {
        Refusal::Svg
    } else if OTHER.iter().any(|magic| content.starts_with(magic)) {
        Refusal::OtherFormat
    } else {
        Refusal::NotAPicture
    }
}

/// The refusal of a HEIF file, based on its brands.
fn heif(content: &[u8]) -> Option<Refusal> {
    let (length, rest) = content.split_first_chunk::<4>()?;
    let brands = rest.strip_prefix(b"ftyp")?;
    let length = (u32::from_be_bytes(*length) as usize).saturating_sub(8);
    let (brands, _) = brands.get(..length.min(256)).unwrap_or(brands).as_chunks();
    if brands.iter().any(|brand| AVIF.contains(&brand)) {
        Some(Refusal::Avif)
    } else if brands.iter().any(|brand| HEIC.contains(&brand)) {
        Some(Refusal::Heic)
    } else {
        None
    }
}

fn is_svg(content: &[u8]) -> bool {
    let begin = &content[..content.len().min(SNIFFED)];
    let is_text = begin
        .trim_ascii_start()
        .trim_prefix_bom()
        .trim_ascii_start()
        .starts_with(b"<");
    is_text && holds(begin, b"<svg")
}

/// Removes the UTF-8 byte order mark.
trait TrimBom {
    fn trim_prefix_bom(&self) -> &Self;
}

impl TrimBom for [u8] {
    fn trim_prefix_bom(&self) -> &Self {
        self.strip_prefix(b"\xef\xbb\xbf").unwrap_or(self)
    }
}

/// Refuses a picture that is also a document, a program or an archive. Files made from a picture contain only its
/// pixels; this check protects the places where the file itself is stored.
pub(super) fn refuse_polyglot(content: &[u8]) -> Result<(), Refusal> {
    let begin = &content[..content.len().min(SNIFFED)];
    if SCRIPTS.iter().any(|script| holds(begin, script)) || is_zip(content) {
        return Err(Refusal::Polyglot);
    }
    Ok(())
}

/// Whether the content contains a text, ignoring case.
fn holds(content: &[u8], text: &[u8]) -> bool {
    content
        .windows(text.len())
        .any(|window| window.eq_ignore_ascii_case(text))
}

/// Whether the file ends with a ZIP end record whose comment extends to the end of the file.
fn is_zip(content: &[u8]) -> bool {
    let tail = &content[content.len().saturating_sub(ZIP_END + ZIP_COMMENT)..];
    tail.windows(ZIP_END).enumerate().any(|(at, record)| {
        let comment = usize::from(u16::from_le_bytes([record[20], record[21]]));
        record.starts_with(b"PK\x05\x06") && at + ZIP_END + comment == tail.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_beginning() {
        let cases = [
            (
                &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..],
                Refusal::Svg,
            ),
            (b"\xef\xbb\xbf <?xml version='1.0'?><SVG/>", Refusal::Svg),
            (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", Refusal::Heic),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", Refusal::Avif),
            (b"GIF89a\xff\xd8\xff", Refusal::OtherFormat),
            (b"\0\0\0\x18ftypisom\0\0\0\0mp42mp41", Refusal::NotAPicture),
            (b"<html><svg>", Refusal::Svg),
            (b"plain", Refusal::NotAPicture),
            (b"\0\0\0", Refusal::NotAPicture),
            (b"", Refusal::NotAPicture),
        ];
        for (content, refusal) in cases {
            assert_eq!(name(content), refusal, "{}", content.escape_ascii());
        }
    }

    #[test]
    fn an_archive_is_told_by_a_last_record_that_reaches_to_the_end() {
        let end = [&b"PK\x05\x06"[..], &[0; 16], &[2, 0], b"ok"].concat();
        assert!(is_zip(&end));
        assert!(!is_zip(&[&end[..], b"."].concat()));
        assert!(!is_zip(&end[..10]));
    }
}
