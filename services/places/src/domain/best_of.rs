//! Best-of lists: the editors' ranked choices of places.

use std::collections::HashSet;

use chassis::{
    markup,
    slug::is_slug,
    text::{line, optional_line, short_text},
};
use chrono::{DateTime, Utc};

use super::listing::Listing;

/// Maximum number of places in a list, which is never split into pages.
const MAX_ENTRIES: usize = 100;

/// Fields of a list's card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BestOfList {
    pub(crate) id: i64,
    pub(crate) slug: String,
    pub(crate) name: String,
    /// Sanitised HTML.
    pub(crate) intro_html: String,
    pub(crate) image_url: Option<String>,
    pub(crate) date_published: DateTime<Utc>,
    /// Number of ranked places.
    pub(crate) count: i64,
}

impl BestOfList {
    /// Returns the beginning of the introduction, which lists quote; empty without an introduction.
    pub(crate) fn line(&self) -> String {
        short_text(&markup::first_paragraph(&self.intro_html)).unwrap_or_default()
    }
}

/// A place in a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BestOfEntry {
    /// Rank, starting with 1 for the best.
    pub(crate) rank: i32,
    pub(crate) listing: Listing,
    /// Sanitised HTML about the place; may be empty.
    pub(crate) text_html: String,
}

/// The proposed state of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BestOfProposal {
    pub(crate) source_id: String,
    pub(crate) slug: String,
    pub(crate) name: String,
    /// Sanitised HTML.
    pub(crate) intro_html: String,
    pub(crate) image_url: Option<String>,
    pub(crate) date_published: DateTime<Utc>,
    pub(crate) is_withdrawn: bool,
    /// Best place first.
    pub(crate) entries: Vec<EntryProposal>,
}

/// A proposed place in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EntryProposal {
    /// Position of the entry in the input; if empty, the position of the list.
    pub(crate) position: String,
    /// Source id of the place.
    pub(crate) source_id: String,
    /// Sanitised HTML.
    pub(crate) text_html: String,
}

impl BestOfProposal {
    pub(crate) fn checked(self) -> Result<Self, String> {
        if !is_slug(&self.slug) {
            return Err(format!("the slug {:?} is no slug", self.slug));
        }
        if self.entries.is_empty() || self.entries.len() > MAX_ENTRIES {
            return Err(format!(
                "a best-of list ranks 1 to {MAX_ENTRIES} places, not {}",
                self.entries.len()
            ));
        }
        let mut seen = HashSet::new();
        if let Some(twice) = self
            .entries
            .iter()
            .find(|entry| !seen.insert(&entry.source_id))
        {
            return Err(twice.mistake(&format!("{} is ranked twice", twice.source_id)));
        }
        Ok(Self {
            source_id: line("source id", &self.source_id)?,
            name: line("name", &self.name)?,
            image_url: optional_line("image", self.image_url.as_deref())?,
            ..self
        })
    }
}

impl EntryProposal {
    /// Adds the position in the input to a reason.
    pub(crate) fn mistake(&self, why: &str) -> String {
        if self.position.is_empty() {
            why.to_owned()
        } else {
            format!("{why} ({})", self.position)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(entries: usize) -> BestOfProposal {
        let entry = |number| EntryProposal {
            position: format!("line {number}"),
            source_id: format!("content:{number}"),
            text_html: String::new(),
        };
        BestOfProposal {
            source_id: "content:best-of/ramen".into(),
            slug: "ramen".into(),
            name: "Ramen".into(),
            intro_html: String::new(),
            image_url: None,
            date_published: DateTime::UNIX_EPOCH,
            is_withdrawn: false,
            entries: (0..entries).map(entry).collect(),
        }
    }

    #[test]
    fn a_list_ranks_a_bounded_number_of_places_once_each() {
        assert!(list(1).checked().is_ok() && list(MAX_ENTRIES).checked().is_ok());
        assert!(list(0).checked().is_err() && list(MAX_ENTRIES + 1).checked().is_err());
        let mut twice = list(2);
        twice.entries[1].source_id = "content:0".into();
        let reason = twice.checked().expect_err("refused");
        assert_eq!(reason, "content:0 is ranked twice (line 1)");
    }
}
