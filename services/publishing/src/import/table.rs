//! CSV tables (RFC 4180) with a heading line, read row by row. Rows are untrusted: their length is limited, and
//! unreadable rows are reported with their lines.

use std::io::{self, BufRead};

use crate::text_files::skip_byte_order_mark;

/// Maximum length of a row in bytes: a missing quotation mark turns all following rows into a single row.
const MAX_ROW: usize = 64 * 1024;

/// A column to read, and whether it is required.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column<'a> {
    pub(super) heading: &'a str,
    pub(super) is_needed: bool,
}

/// A required column.
pub(super) const fn needed(heading: &str) -> Column<'_> {
    Column {
        heading,
        is_needed: true,
    }
}

/// An optional column; if it is missing, its fields are empty.
pub(super) const fn optional(heading: &str) -> Column<'_> {
    Column {
        heading,
        is_needed: false,
    }
}

/// Passes the comma-separated fields of every row, like [`each_of`].
pub(super) fn each<const N: usize>(
    file: impl BufRead,
    columns: &[Column<'_>; N],
    mut take: impl FnMut(String, Result<[&str; N], String>) -> bool,
) -> Result<(), String> {
    each_of((file, b','), columns, |position, fields| {
        take(
            position,
            fields.map(|fields| std::array::from_fn(|at| fields[at])),
        )
    })
}

/// Passes the trimmed fields of every row to `take`, in the order of `columns`, until it returns false; an unreadable
/// row is passed with the reason. The error describes an unreadable file. The separator is a single byte.
pub(super) fn each_of(
    (mut file, separator): (impl BufRead, u8),
    columns: &[Column<'_>],
    mut take: impl FnMut(String, Result<Vec<&str>, String>) -> bool,
) -> Result<(), String> {
    skip_byte_order_mark(&mut file)?;
    let mut rows = Rows {
        file,
        line: 1,
        raw: Vec::new(),
    };
    let (headings, mut is_last) = loop {
        let Some(row) = rows.next()? else {
            return Err("it is empty".to_owned());
        };
        let headings = fields(&rows.raw, separator)
            .map_err(|why| format!("its headings cannot be read: {why}"))?;
        if !is_blank(&headings) && !names_separator(&rows.raw) {
            break (headings, row.is_last);
        }
    };
    let places = places(&headings, columns)?;
    while !is_last {
        let Some(row) = rows.next()? else { break };
        is_last = row.is_last;
        let position = format!("line {}", row.line);
        let goes_on = match fields(&rows.raw, separator) {
            // Spreadsheets write a row of separators for each emptied row.
            Ok(found) if is_blank(&found) => true,
            Ok(found) if found.len() != headings.len() => {
                if is_last && found.len() < headings.len() {
                    return Err(format!("it breaks off in {position}"));
                }
                let (there, wanted) = (found.len(), headings.len());
                let why = format!("it has {there} fields, and the line of headings {wanted}");
                take(position, Err(why))
            }
            Ok(found) => {
                let field = |place: Option<usize>| place.map_or("", |place| found[place].trim());
                take(position, Ok(places.iter().copied().map(field).collect()))
            }
            Err(why) => take(position, Err(why)),
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

fn is_blank(fields: &[String]) -> bool {
    fields.iter().all(|field| field.trim().is_empty())
}

/// Whether a row is Excel's declaration of the separator: `sep=;`.
fn names_separator(raw: &[u8]) -> bool {
    let name = raw.trim_ascii().get(..4);
    name.is_some_and(|name| name.eq_ignore_ascii_case(b"sep="))
}

/// Returns the index of each column.
fn places(headings: &[String], columns: &[Column<'_>]) -> Result<Vec<Option<usize>>, String> {
    let place = |column: &Column<'_>| {
        let is_it = |heading: &String| {
            let heading = heading.trim();
            heading.eq_ignore_ascii_case(column.heading)
        };
        headings.iter().position(is_it)
    };
    let missing: Vec<_> = columns
        .iter()
        .filter(|column| column.is_needed && place(column).is_none())
        .map(|column| column.heading)
        .collect();
    if missing.is_empty() {
        return Ok(columns.iter().map(place).collect());
    }
    Err(format!(
        "its first line lacks the headings: {}",
        missing.join(", ")
    ))
}

/// A raw row of the file.
struct RawRow {
    /// Line on which the row begins.
    line: u64,
    /// Whether the file ends with this row, without a line break.
    is_last: bool,
}

struct Rows<R> {
    file: R,
    /// Number of the next line.
    line: u64,
    /// Bytes of the row.
    raw: Vec<u8>,
}

impl<R: BufRead> Rows<R> {
    /// Reads the next row; `None` at the end of the file. A line break between quotation marks is part of a field.
    fn next(&mut self) -> Result<Option<RawRow>, String> {
        self.raw.clear();
        let line = self.line;
        let mut is_open = false;
        loop {
            let before = self.raw.len();
            let read = self.read_line();
            let is_complete =
                read.map_err(|error| format!("it cannot be read after line {line}: {error}"))?;
            for byte in &self.raw[before..] {
                is_open ^= *byte == b'"';
            }
            if is_complete {
                self.line += 1;
            }
            if is_complete && !is_open {
                return Ok(Some(RawRow {
                    line,
                    is_last: false,
                }));
            }
            if self.raw.len() >= MAX_ROW {
                return Err(format!(
                    "the row that begins in line {line} is longer than {} KiB: a quotation mark may be missing",
                    MAX_ROW / 1024
                ));
            }
            if !is_complete {
                if self.raw.is_empty() {
                    return Ok(None);
                }
                if is_open {
                    return Err(format!(
                        "it breaks off in the row that begins in line {line}"
                    ));
                }
                return Ok(Some(RawRow {
                    line,
                    is_last: true,
                }));
            }
        }
    }

    /// Appends the text up to and including the next line break: LF, CR LF or CR. Returns false if the file ends or the
    /// row exceeds its maximum length first.
    fn read_line(&mut self) -> io::Result<bool> {
        loop {
            let buffered = self.file.fill_buf()?;
            let end = buffered.iter().position(|byte| is_break(*byte));
            let length = end.map_or(buffered.len(), |end| end + 1);
            let length = length.min(MAX_ROW.saturating_sub(self.raw.len()));
            if length == 0 {
                return Ok(false);
            }
            self.raw.extend_from_slice(&buffered[..length]);
            self.file.consume(length);
            if !self.raw.last().copied().is_some_and(is_break) {
                continue;
            }
            if self.raw.ends_with(b"\r") && self.file.fill_buf()?.starts_with(b"\n") {
                self.raw.push(b'\n');
                self.file.consume(1);
            }
            return Ok(true);
        }
    }
}

fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns the fields of a row.
fn fields(raw: &[u8], separator: u8) -> Result<Vec<String>, String> {
    let text = std::str::from_utf8(raw).map_err(|_| "it is not in UTF-8".to_owned())?;
    if text.contains('\0') {
        return Err("it has a NUL byte".to_owned());
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .buffer_capacity(raw.len().max(1))
        .from_reader(raw);
    let mut record = csv::StringRecord::new();
    reader
        .read_record(&mut record)
        .map_err(|error| error.to_string())?;
    Ok(record.iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Read = Vec<(String, Result<[String; 2], String>)>;

    fn all(file: &[u8]) -> Result<Read, String> {
        let mut rows = Vec::new();
        let columns = [needed("Name"), optional("Age")];
        each(file, &columns, |position, row| {
            rows.push((position, row.map(|row| row.map(str::to_owned))));
            true
        })?;
        Ok(rows)
    }

    #[test]
    fn rows_are_read_by_their_headings_whatever_their_order() {
        let file = "\u{feff}\"age\",Other,\"NAME\"\r\n\r\n5,x,\"a \"\"b\"\"\r\nc\"\n6,y, d \n7,z,e";
        let rows = all(file.as_bytes()).expect("valid");
        let row = |line: u32, name: &str, age: &str| {
            (
                format!("line {line}"),
                Ok([name.to_owned(), age.to_owned()]),
            )
        };
        let expected = [
            row(3, "a \"b\"\r\nc", "5"),
            row(5, "d", "6"),
            row(6, "e", "7"),
        ];
        assert_eq!(rows, expected);
        assert_eq!(all(b"name\nx\n").expect("valid"), [row(2, "x", "")]);
        assert_eq!(all(b"name").expect("valid"), []);
    }

    #[test]
    fn lines_end_in_any_way_and_rows_without_values_are_skipped() {
        for end in ["\n", "\r\n", "\r"] {
            let lines = [
                "sep=,", ",", "name,age", "a,1", ",", " , ", "", "\"b", "c\",2", "\"\",",
            ];
            let rows = all(lines.join(end).as_bytes()).expect("valid");
            let read: Vec<_> = rows
                .iter()
                .map(|(position, row)| (position.as_str(), row.clone().expect("a row")))
                .collect();
            let b = format!("b{end}c");
            let expected = [
                ("line 4", ["a".to_owned(), "1".to_owned()]),
                ("line 8", [b, "2".to_owned()]),
            ];
            assert_eq!(read, expected, "{end:?}");
        }
    }

    #[test]
    fn a_row_that_cannot_be_read_says_why_and_the_next_one_is_read() {
        let rows = all(b"name,age\n\xff,1\na\0b,2\n1,2,3\n1\nok,5\n").expect("goes on");
        let said: Vec<_> = rows
            .iter()
            .map(|(position, row)| (position.as_str(), row.as_ref().err().map(String::as_str)))
            .collect();
        let expected = [
            ("line 2", Some("it is not in UTF-8")),
            ("line 3", Some("it has a NUL byte")),
            (
                "line 4",
                Some("it has 3 fields, and the line of headings 2"),
            ),
            (
                "line 5",
                Some("it has 1 fields, and the line of headings 2"),
            ),
            ("line 6", None),
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn a_file_that_breaks_off_or_is_no_table_says_so() {
        let long = format!("name,age\n\"{}\",1\n", "x".repeat(1 << 20));
        let open = format!("name,age\n\"x,1\n{}", "y,1\n".repeat(40_000));
        let utf_16: Vec<u8> = "name,age\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (file, expected) in [
            (&b""[..], "it is empty"),
            (b"age\n1\n", "its first line lacks the headings: Name"),
            (b"name,age\nx", "it breaks off in line 2"),
            (
                b"name,age\nx,\"5",
                "it breaks off in the row that begins in line 2",
            ),
            (
                long.as_bytes(),
                "the row that begins in line 2 is longer than 64 KiB: a quotation mark may be missing",
            ),
            (
                open.as_bytes(),
                "the row that begins in line 2 is longer than 64 KiB: a quotation mark may be missing",
            ),
            (&utf_16, "its headings cannot be read: it has a NUL byte"),
        ] {
            assert_eq!(all(file), Err(expected.to_owned()));
        }
    }
}
