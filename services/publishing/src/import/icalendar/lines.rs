//! Content lines (RFC 5545, 3.1), read one at a time. Memory is limited to the beginning of a single line, regardless
//! of the file.
//!
//! Existing crates were evaluated in November 2026: icalendar 0.17 and calcard 0.3 parse a text that is completely in
//! memory, and ical 0.11 does not limit the length of a line. None reports the line of a property.

use std::io::{BufRead, BufReader, Read};

/// Maximum length of a line after unfolding, in bytes.
pub(super) const MAX_LINE: usize = 256 * 1024;
/// Maximum length of a property name.
const MAX_NAME: usize = 100;

/// An unfolded line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Number of the first physical line in the file, from 1.
    pub(super) number: usize,
    bytes: Vec<u8>,
    /// Whether the line was longer than [`MAX_LINE`] and has been truncated.
    is_cut: bool,
}

/// A property with its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property {
    /// Number of the property's line.
    pub(super) line: usize,
    /// Name in capitals.
    pub(super) name: String,
    /// Parameters, with names in capitals.
    parameters: Vec<(String, String)>,
    /// Raw value.
    pub(super) value: String,
}

pub(super) struct Lines<R> {
    file: BufReader<R>,
    /// Number of lines read so far.
    read: usize,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(file: R) -> Self {
        Self {
            file: BufReader::new(file),
            read: 0,
        }
    }

    /// Returns the number of lines read so far.
    pub(super) fn number(&self) -> usize {
        self.read
    }

    /// Returns the next line that is not empty; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Line>, String> {
        loop {
            let mut line = Line {
                number: self.read + 1,
                ..Line::default()
            };
            if !self.physical(&mut line)? {
                return Ok(None);
            }
            while matches!(self.peek()?, Some(b' ' | b'\t')) {
                self.file.consume(1);
                self.physical(&mut line)?;
            }
            if !line.bytes.trim_ascii().is_empty() {
                return Ok(Some(line));
            }
        }
    }

    fn peek(&mut self) -> Result<Option<u8>, String> {
        let number = self.read + 1;
        let buffered = self
            .file
            .fill_buf()
            .map_err(|error| format!("line {number} cannot be read: {error}"))?;
        Ok(buffered.first().copied())
    }

    /// Appends the text before the next line break: LF, CR LF or CR. False at the end of the file.
    fn physical(&mut self, line: &mut Line) -> Result<bool, String> {
        if self.peek()?.is_none() {
            return Ok(false);
        }
        self.read += 1;
        let number = self.read;
        loop {
            let buffered = self
                .file
                .fill_buf()
                .map_err(|error| format!("line {number} cannot be read: {error}"))?;
            let end = buffered
                .iter()
                .position(|byte| matches!(byte, b'\n' | b'\r'));
            let is_return = end.is_some_and(|end| buffered[end] == b'\r');
            let part = &buffered[..end.unwrap_or(buffered.len())];
            let space = MAX_LINE.saturating_sub(line.bytes.len());
            line.is_cut |= part.len() > space;
            line.bytes.extend_from_slice(&part[..part.len().min(space)]);
            let consumed = end.map_or(part.len(), |end| end + 1);
            let is_over = end.is_some() || buffered.is_empty();
            self.file.consume(consumed);
            if is_return {
                self.rest_of_break()?;
            }
            if is_over {
                break;
            }
        }
        Ok(true)
    }

    /// Reads the part of a line break that follows a CR. A converted CR LF can become CR CR LF, which is a single
    /// break.
    fn rest_of_break(&mut self) -> Result<(), String> {
        let mut returns = 0;
        while self.peek()? == Some(b'\r') {
            self.file.consume(1);
            returns += 1;
        }
        if self.peek()? == Some(b'\n') {
            self.file.consume(1);
        } else {
            self.read += returns;
        }
        Ok(())
    }
}

impl Line {
    /// Returns the name of the line's property, in capitals.
    pub(super) fn name(&self) -> Result<String, String> {
        let end = self
            .bytes
            .iter()
            .take(MAX_NAME + 1)
            .position(|byte| matches!(byte, b':' | b';'));
        let name = end.map(|end| &self.bytes[..end]).unwrap_or_default();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if name.is_empty() || !name.iter().all(is_name) {
            return Err(format!("line {} is no property", self.number));
        }
        Ok(String::from_utf8_lossy(name).to_ascii_uppercase())
    }

    /// Returns the component name after `BEGIN` or `END`, in capitals and shortened for messages.
    pub(super) fn component(&self) -> String {
        let value = self.bytes.splitn(2, |byte| *byte == b':').nth(1);
        let value = String::from_utf8_lossy(value.unwrap_or_default());
        value
            .trim()
            .to_ascii_uppercase()
            .chars()
            .take(MAX_NAME)
            .collect()
    }

    /// Parses the property.
    pub(super) fn property(&self) -> Result<Property, String> {
        let number = self.number;
        let name = self.name()?;
        if self.is_cut {
            return Err(format!("line {number} is longer than {MAX_LINE} bytes"));
        }
        let text = std::str::from_utf8(&self.bytes[name.len()..]);
        let mut rest = text.map_err(|_| format!("line {number} is no UTF-8"))?;
        let mut parameters = Vec::new();
        while let Some(after) = rest.strip_prefix(';') {
            let (parameter, after) =
                parameter(after).ok_or_else(|| format!("line {number} has a broken parameter"))?;
            parameters.push(parameter);
            rest = after;
        }
        let value = rest.strip_prefix(':');
        let value = value.ok_or_else(|| format!("line {number} is no property"))?;
        Ok(Property {
            line: number,
            name,
            parameters,
            value: value.to_owned(),
        })
    }
}

/// Parses a parameter. Returns it with the rest of the text.
fn parameter(text: &str) -> Option<((String, String), &str)> {
    let (name, rest) = text.split_once('=')?;
    let mut is_quoted = false;
    let end = rest.find(|letter| {
        is_quoted ^= letter == '"';
        !is_quoted && matches!(letter, ';' | ':')
    })?;
    let value = rest[..end].replace('"', "");
    Some(((name.to_ascii_uppercase(), value), &rest[end..]))
}

impl Property {
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let mut parameters = self.parameters.iter();
        parameters.find_map(|(key, value)| (key == name).then_some(value.as_str()))
    }

    /// Returns the value as a text (RFC 5545, 3.3.11). Control characters, which are not allowed in texts, become
    /// spaces.
    pub(super) fn text(&self) -> String {
        unescaped(&self.value)
    }

    /// Returns the values of a list of texts.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut is_escaped = false;
        let parts = self.value.split(|letter| {
            let separates = letter == ',' && !is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            separates
        });
        parts.map(unescaped).collect()
    }
}

fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('n' | 'N') => text.push('\n'),
                Some(escaped @ ('\\' | ';' | ',' | ':' | '"')) => text.push(escaped),
                Some(other) => text.extend(['\\', other]),
                None => text.push('\\'),
            },
            letter if letter.is_control() => text.push(' '),
            letter => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(file: &[u8]) -> Vec<Line> {
        let mut lines = Lines::new(file);
        std::iter::from_fn(|| lines.next().expect("reads")).collect()
    }

    #[test]
    fn folded_lines_are_one_whatever_ends_them_and_know_their_number() {
        let file = b"BEGIN:VCALENDAR\r\nSUMMARY:Pur\xC3\r\n \xA9e at\n\t the \r  corner\n\r\n\r\rEND:VCALENDAR";
        let lines = lines(file);
        let numbers: Vec<_> = lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [1, 2, 9]);
        assert_eq!(lines[0].component(), "VCALENDAR");
        let summary = lines[1].property().expect("a property");
        assert_eq!(summary.text(), "Purée at the  corner");
    }

    #[test]
    fn parameters_may_be_quoted_and_texts_escaped() {
        let property = |text: &str| {
            let mut line = lines(text.as_bytes());
            line.remove(0).property()
        };
        let start =
            property("dtstart;tzid=\"(UTC-05:00) Eastern; US\";VALUE=DATE-TIME:20260101T100000");
        let start = start.expect("a property");
        assert_eq!(start.name, "DTSTART");
        assert_eq!(start.parameter("TZID"), Some("(UTC-05:00) Eastern; US"));
        assert_eq!(start.value, "20260101T100000");
        let text = property("DESCRIPTION:One\\, two\\; three\\nfour \\\\n C:\\x \u{7}end\\")
            .expect("a property");
        assert_eq!(text.text(), "One, two; three\nfour \\n C:\\x  end\\");
        let tags = property("CATEGORIES:Music\\, live,Jazz\\\\,Free").expect("a property");
        assert_eq!(tags.texts(), ["Music, live", "Jazz\\", "Free"]);
        for broken in ["no property", ":x", "A;B:x", "A;B=\"x:y", "A B:x"] {
            assert!(property(broken).is_err(), "{broken}");
        }
        let latin = lines(b"SUMMARY:Pur\xE9e").remove(0).property();
        assert_eq!(latin.expect_err("refused"), "line 1 is no UTF-8");
    }

    #[test]
    fn a_line_of_megabytes_is_cut_and_the_next_one_is_read() {
        let mut file = b"SUMMARY:".to_vec();
        file.extend(std::iter::repeat_n(b'x', 5 << 20));
        file.extend(b"\n");
        for _ in 0..10_000 {
            file.extend(b" more of the same, which is folded\r\n");
        }
        file.extend(b"END:VEVENT\n");
        let lines = lines(&file);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].bytes.len(), MAX_LINE);
        assert_eq!(
            lines[0].property().expect_err("refused"),
            "line 1 is longer than 262144 bytes"
        );
        assert_eq!(
            (lines[1].number, lines[1].component().as_str()),
            (10_002, "VEVENT")
        );
    }
}
