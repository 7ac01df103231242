//! Notes on manual work after an import: missing pictures, embeds converted to links, and so on.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Write as _},
    path::Path,
};

use serde_json::json;

/// Maximum number of listed notes; the counts include all notes.
const LISTED: usize = 50_000;

/// The subject of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Note {
    /// A picture that was not found or cannot be shown.
    Picture,
    /// A video, audio file, map or post of another site that was converted to a link.
    Embed,
    /// A shortcode that needs its plug-in.
    Shortcode,
    /// A block or form filled by its system.
    Block,
    /// A link to a page of the former site that is not in the file.
    Link,
    /// Content that was private or protected by a password.
    Hidden,
    /// Objects of a kind that this site does not support.
    Kind,
}

impl Note {
    /// Returns the note's name in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Embed => "embed",
            Self::Shortcode => "shortcode",
            Self::Block => "block",
            Self::Link => "link",
            Self::Hidden => "hidden",
            Self::Kind => "kind",
        }
    }

    /// Returns the note's text in the printed report, after the number of notes.
    fn phrase(self) -> &'static str {
        match self {
            Self::Picture => "pictures that were not found or cannot be shown",
            Self::Embed => "embeds that are links now",
            Self::Shortcode => "shortcodes of plug-ins",
            Self::Block => "blocks that the former system filled",
            Self::Link => "links to pages of the former site that are not in the file",
            Self::Hidden => "texts behind a password or private, which are drafts here",
            Self::Kind => "things of kinds that this site does not have",
        }
    }
}

/// A note on manual work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Noted {
    pub(crate) what: Note,
    /// Position in the file.
    pub(crate) position: String,
    pub(crate) source_id: String,
    pub(crate) detail: String,
}

/// Notes of an import.
#[derive(Debug, Default)]
pub struct Notes {
    counts: BTreeMap<Note, usize>,
    listed: Vec<Noted>,
}

impl Notes {
    pub(super) fn add(&mut self, noted: Noted) {
        *self.counts.entry(noted.what).or_default() += 1;
        if self.listed.len() < LISTED {
            self.listed.push(noted);
        }
    }

    /// Returns a line for each kind of note.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let lines = self.counts.iter();
        lines
            .map(|(what, count)| format!("by hand: {count} {}", what.phrase()))
            .collect()
    }

    /// Writes a JSON line for each note.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        for noted in &self.listed {
            let line = json!({
                "what": noted.what.name(),
                "position": noted.position,
                "source_id": noted.source_id,
                "detail": noted.detail,
            });
            writeln!(file, "{line}")?;
        }
        file.flush()
    }

    #[cfg(test)]
    pub(super) fn details(&self, what: Note) -> Vec<&str> {
        let listed = self.listed.iter().filter(|noted| noted.what == what);
        listed.map(|noted| noted.detail.as_str()).collect()
    }
}
