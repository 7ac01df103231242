//! Saved places in files from Google Takeout: `Saved Places.json`, and a table for each list. The files are untrusted.

mod cell;
mod entry;
mod features;
mod link;
mod table;

use self::entry::{Entry, Position};

/// Maximum file size in bytes.
pub(crate) const MAX_BYTES: usize = 4 << 20;
/// Maximum number of places read from a file.
pub(crate) const MAX_PLACES: usize = 2_000;
/// Maximum length of a name or address, in characters.
const MAX_LINE: usize = 200;
/// Maximum length of a note, in characters.
const MAX_NOTE: usize = 500;

/// A place that the reader has saved elsewhere.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SavedPlace {
    pub(crate) name: String,
    /// Empty if unknown.
    pub(crate) address: String,
    /// The reader's own note; may be empty.
    pub(crate) note: String,
    pub(crate) position: Option<Position>,
}

/// The places of a file.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct SavedPlaces {
    pub(crate) places: Vec<SavedPlace>,
    /// Number of entries without a name, which cannot be looked up.
    pub(crate) nameless: usize,
    /// Number of entries after the first 2,000.
    pub(crate) left_out: usize,
}

impl SavedPlaces {
    /// Reads a file; the error is a sentence for the reader.
    pub(crate) fn read(content: &[u8]) -> Result<Self, &'static str> {
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        if content.starts_with(b"PK\x03\x04") {
            return Err(
                "This is a whole archive. Open it, and choose one file inside it: \
                        “Saved Places.json”, or a list such as “Want to go.csv”.",
            );
        }
        let Ok(text) = std::str::from_utf8(content) else {
            return Err("This is no text in UTF-8, as Google Takeout’s files are.");
        };
        let mut read = Self::default();
        if text.trim_start().starts_with(['{', '[']) {
            features::each(text, |entry| read.add(entry))?;
        } else {
            table::each(text, |entry| read.add(entry))?;
        }
        Ok(read)
    }

    fn add(&mut self, entry: &Entry<'_>) {
        let link = link::read(entry.url);
        let name = line(entry.name);
        let name = if name.is_empty() {
            line(&link.name)
        } else {
            name
        };
        if name.is_empty() {
            self.nameless += 1;
        } else if self.places.len() < MAX_PLACES {
            self.places.push(SavedPlace {
                name,
                address: line(entry.address),
                note: cleaned(entry.note, MAX_NOTE),
                position: entry.position.or(link.position),
            });
        } else {
            self.left_out += 1;
        }
    }
}

/// Returns the list's name: its file name without the extension.
pub(crate) fn list_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let ending = |name: &str| name.eq_ignore_ascii_case("csv") || name.eq_ignore_ascii_case("json");
    match name.rsplit_once('.') {
        Some((name, last)) if ending(last) => line(name),
        _ => line(name),
    }
}

fn line(text: &str) -> String {
    cleaned(text, MAX_LINE)
}

/// Collapses white space, removes control characters and truncates the text.
fn cleaned(text: &str, longest: usize) -> String {
    let is_white = |letter: char| letter.is_whitespace() || letter.is_control();
    let mut clean = String::with_capacity(text.len().min(4 * longest));
    let words = text.split(is_white).filter(|word| !word.is_empty());
    let mut left = longest;
    for word in words {
        if !clean.is_empty() {
            if left <= 1 {
                break;
            }
            clean.push(' ');
            left -= 1;
        }
        for letter in word.chars().take(left) {
            clean.push(letter);
            left -= 1;
        }
        if left == 0 {
            break;
        }
    }
    clean
}

#[cfg(test)]
mod tests;
