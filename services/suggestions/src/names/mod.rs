//! The names of all documents, in memory, for suggestions. Suggestions do not query PostgreSQL, which would have to
//! read thousands of rows to find the best matches of a short prefix.

mod least;
mod sieve;
mod table;
mod words;

use std::{
    collections::{BTreeMap, HashSet},
    sync::{Arc, OnceLock},
};

pub use table::{Builder, Entry, Key};
use table::{Hit, Table};

use crate::DocumentKind;

/// The minimum and maximum number of changes after which a new table is built.
const FEW_CHANGES: usize = 1_000;
const MANY_CHANGES: usize = 20_000;
/// A new table is built once one in this many of the table's names has changed, within the limits above.
const CHANGED_PART: usize = 32;

/// Changed documents; `None` for a deleted document.
pub type Changes = Vec<(Key, Option<Entry>)>;

/// A name that matches the typed words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggested {
    /// The kind of document.
    pub kind: DocumentKind,
    /// The document's name.
    pub name: String,
    /// The path of the document's page, as provided by its service.
    pub path: String,
}

/// A table, and the changes since it was built. It is immutable: [`Names::changed`] creates the next version, which
/// shares the table.
#[derive(Debug, Default)]
pub struct Names {
    table: Arc<Table>,
    /// The differences from the table; `None` for a deleted document.
    changes: BTreeMap<Key, Option<Entry>>,
    /// A table of the changed names.
    changed: Arc<Table>,
    /// The ranks of outdated names in the table.
    replaced: Arc<HashSet<u32>>,
    /// The next table, if one is being built.
    next: Option<Next>,
}

/// A table that is being built.
type Next = Arc<OnceLock<Arc<Table>>>;

/// The input for building a new table: the old table and the changes since.
#[derive(Debug)]
pub struct Rebuilding {
    table: Arc<Table>,
    changed: Arc<Table>,
    replaced: Arc<HashSet<u32>>,
    next: Next,
}

impl Rebuilding {
    /// Builds the table; takes seconds for millions of names.
    pub fn run(self) {
        let mut builder = Builder::default();
        self.table
            .copy_to(&mut builder, |rank| self.replaced.contains(&rank));
        self.changed.copy_to(&mut builder, |_| false);
        self.next.get_or_init(|| Arc::new(builder.build()));
    }
}

impl Names {
    /// Creates names from entries; takes seconds for millions.
    #[must_use]
    pub fn new(entries: Builder) -> Self {
        Self {
            table: Arc::new(entries.build()),
            ..Self::default()
        }
    }

    fn over(
        table: Arc<Table>,
        mut changes: BTreeMap<Key, Option<Entry>>,
        next: Option<Next>,
    ) -> Self {
        changes.retain(|key, entry| match (table.rank(*key), entry) {
            (Some(rank), Some(entry)) => !table.shows(rank, entry),
            (rank, entry) => rank.is_some() || entry.is_some(),
        });
        let mut builder = Builder::default();
        for (key, entry) in &changes {
            if let Some(entry) = entry {
                builder.add(*key, entry);
            }
        }
        Self {
            replaced: Arc::new(changes.keys().filter_map(|key| table.rank(*key)).collect()),
            changed: Arc::new(builder.build()),
            changes,
            table,
            next,
        }
    }

    /// The names after some changes. A new table replaces the old table if it has been built.
    #[must_use]
    pub fn changed(&self, changes: Changes) -> Self {
        let mut all = self.changes.clone();
        all.extend(changes);
        match self.next.as_ref().and_then(|next| next.get()) {
            Some(table) => Self::over(Arc::clone(table), all, None),
            None => Self::over(Arc::clone(&self.table), all, self.next.clone()),
        }
    }

    /// Whether a new table has been built, which [`Names::changed`] will use.
    #[must_use]
    pub fn has_next(&self) -> bool {
        self.next.as_ref().is_some_and(|next| next.get().is_some())
    }

    /// The input for the next table, if there are enough changes and none is being built yet.
    pub fn start_next(&mut self) -> Option<Rebuilding> {
        let allowed = (self.table.len() / CHANGED_PART).clamp(FEW_CHANGES, MANY_CHANGES);
        if self.changes.len() <= allowed || self.next.is_some() {
            return None;
        }
        Some(Rebuilding {
            table: Arc::clone(&self.table),
            changed: Arc::clone(&self.changed),
            replaced: Arc::clone(&self.replaced),
            next: Arc::clone(self.next.insert(Arc::default())),
        })
    }

    /// The number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len() - self.replaced.len() + self.changed.len()
    }

    /// Whether there are no names.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries from a position on; positions start at 0 and may have gaps.
    pub(crate) fn entries_from(
        &self,
        position: usize,
    ) -> impl Iterator<Item = (usize, Key, Entry)> {
        let (table, changed) = (self.table.len(), &self.changed);
        let old = (position.min(table)..table).filter_map(move |at| {
            let rank = u32::try_from(at).ok()?;
            let (key, entry) = self.table.entry(rank);
            (!self.replaced.contains(&rank)).then_some((at, key, entry))
        });
        let new = position.saturating_sub(table).min(changed.len())..changed.len();
        let new = new.filter_map(move |at| {
            let (key, entry) = changed.entry(u32::try_from(at).ok()?);
            Some((table + at, key, entry))
        });
        old.chain(new)
    }

    /// The memory used, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.table.bytes() + self.changed.bytes()
    }

    /// The best names that contain these folded words, the last of which may be incomplete. Places rank above articles,
    /// events and videos, lists rank above both, and names that begin with the words rank above all others.
    #[must_use]
    pub fn best(&self, words: &[String], most: usize) -> Vec<Suggested> {
        let mut hits = self
            .table
            .best(words, most, |rank| self.replaced.contains(&rank));
        hits.extend(self.changed.best(words, most, |_| false));
        hits.sort_by(|one, other| {
            let by_score = other.score.total_cmp(&one.score);
            by_score.then_with(|| {
                let (one, other) = (one.shown(), other.shown());
                (one.name, one.path).cmp(&(other.name, other.path))
            })
        });
        let best = hits.iter().take(most).map(Hit::shown);
        best.map(|shown| Suggested {
            kind: shown.kind,
            name: shown.name.to_owned(),
            path: shown.path.to_owned(),
        })
        .collect()
    }
}

#[cfg(test)]
mod tests;
