//! What an import cannot do by itself: pictures that were not found, embeds that have become links, and the like.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufWriter, Write as _},
    path::Path,
};

use serde_json::json;

/// Notes that are listed; the counts cover all.
const LISTED: usize = 50_000;

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Note {
    /// A picture that was not found, or is none that can be shown.
    Picture,
    /// A video, a sound, a map or a post of elsewhere that has become a link.
    Embed,
    /// A shortcode that only its plug-in understands.
    Shortcode,
    /// A block or a form that its system filled.
    Block,
    /// A link to a page of the former site that is not in the file.
    Link,
    /// Something that was protected by a password, or private.
    Hidden,
    /// Things of a kind that this site does not have.
    Kind,
}

impl Note {
    /// Its name in the report.
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

    /// Its words in the printed report, behind the number of notes.
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

/// One thing that needs a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Noted {
    pub(crate) what: Note,
    /// Where it stands in the file.
    pub(crate) position: String,
    pub(crate) source_id: String,
    pub(crate) detail: String,
}

/// The notes of an import.
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

    /// A line for each kind of note.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let lines = self.counts.iter();
        lines
            .map(|(what, count)| format!("by hand: {count} {}", what.phrase()))
            .collect()
    }

    /// Writes a line of JSON for each.
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
