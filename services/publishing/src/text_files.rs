//! Text files saved by programs on Windows and macOS.

use std::io::BufRead;

/// The UTF-8 byte order mark, which some programs write at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Decodes a UTF-8 file, removes its byte order mark and converts line endings to `\n`.
pub(crate) fn decode(content: Vec<u8>) -> Result<String, String> {
    if is_utf_16(&content) {
        return Err("is UTF-16, and only UTF-8 is read".to_owned());
    }
    let text = String::from_utf8(content).map_err(|error| format!("is not UTF-8: {error}"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// Whether a file begins with a byte order mark of UTF-16.
pub(crate) fn is_utf_16(head: &[u8]) -> bool {
    head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")
}

/// Skips the byte order mark at the beginning of a file.
pub(crate) fn skip_byte_order_mark(file: &mut impl BufRead) -> Result<(), String> {
    let head = file.fill_buf();
    let head = head.map_err(|error| format!("it cannot be read: {error}"))?;
    if head.starts_with(BYTE_ORDER_MARK) {
        file.consume(BYTE_ORDER_MARK.len());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_text_is_the_same_however_an_editor_saves_it() {
        for saved in [
            "one\ntwo\n",
            "one\r\ntwo\r\n",
            "one\rtwo\r",
            "\u{feff}one\r\ntwo\n",
        ] {
            let decoded = decode(saved.as_bytes().to_vec());
            assert_eq!(decoded.as_deref(), Ok("one\ntwo\n"), "{saved:?}");
        }
        let utf_16 = decode(b"\xff\xfeo\0".to_vec()).expect_err("refused");
        assert_eq!(utf_16, "is UTF-16, and only UTF-8 is read");
        assert!(decode(b"\xe9t\xe9".to_vec()).is_err());
    }

    #[test]
    fn only_a_byte_order_mark_is_skipped() {
        for (saved, expected) in [("\u{feff}[]", "[]"), ("[]", "[]"), ("", "")] {
            let mut file = saved.as_bytes();
            skip_byte_order_mark(&mut file).expect("readable");
            let mut rest = String::new();
            file.read_to_string(&mut rest).expect("readable");
            assert_eq!(rest, expected);
        }
    }
}
