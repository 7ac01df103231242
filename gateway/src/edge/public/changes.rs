//! Counts catalogue changes, to detect outdated cached answers.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::atomic::{AtomicU64, Ordering},
};

use super::key::{CacheKey, Tag};

/// Number of counters. Tags with the same counter invalidate more answers than necessary.
const COUNTERS: usize = 4_096;

/// The number of changes of each tag.
#[derive(Debug)]
pub(super) struct Changes {
    counters: Box<[AtomicU64]>,
    /// Number of times at which changes may have been missed.
    gaps: AtomicU64,
}

/// The counts when the computation of an answer started. An answer computed during a change is as outdated as an answer
/// cached before the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    changes: u64,
    gaps: u64,
}

/// Result of comparing two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Difference {
    Unchanged,
    /// The bus was unavailable, so changes may have been missed.
    Unknown,
    Changed,
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            counters: (0..COUNTERS).map(|_| AtomicU64::new(0)).collect(),
            gaps: AtomicU64::new(0),
        }
    }
}

impl Changes {
    pub(super) fn note(&self, tag: Tag) {
        self.counter(tag).fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn note_gap(&self) {
        self.gaps.fetch_add(1, Ordering::AcqRel);
    }

    /// Returns the current version of an answer. Counters only grow, so a different sum means a change.
    pub(super) fn version(&self, key: &CacheKey) -> Version {
        let counts = key
            .all_tags()
            .map(|tag| self.counter(tag).load(Ordering::Acquire));
        Version {
            changes: counts.fold(0, u64::wrapping_add),
            gaps: self.gaps.load(Ordering::Acquire),
        }
    }

    pub(super) fn since(&self, then: &Version, key: &CacheKey) -> Difference {
        let now = self.version(key);
        if now.changes != then.changes {
            Difference::Changed
        } else if now.gaps != then.gaps {
            Difference::Unknown
        } else {
            Difference::Unchanged
        }
    }

    fn counter(&self, tag: Tag) -> &AtomicU64 {
        let mut hasher = DefaultHasher::new();
        tag.hash(&mut hasher);
        let place = usize::try_from(hasher.finish() % COUNTERS as u64).unwrap_or_default();
        &self.counters[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edge::params::Params;

    #[test]
    fn a_change_differs_from_a_gap() {
        let changes = Changes::default();
        let list = CacheKey::list("/l/", &Params::default(), &[Tag::Areas, Tag::Listings]);
        let one = CacheKey::one("/l/", 7, &[Tag::Areas]).tagged(Tag::Listing(7));
        let (of_list, of_one) = (changes.version(&list), changes.version(&one));
        changes.note(Tag::Listings);
        changes.note(Tag::Listing(8));
        assert_eq!(changes.since(&of_list, &list), Difference::Changed);
        assert_eq!(changes.since(&of_one, &one), Difference::Unchanged);
        changes.note_gap();
        assert_eq!(changes.since(&of_one, &one), Difference::Unknown);
        changes.note(Tag::Listing(7));
        assert_eq!(changes.since(&of_one, &one), Difference::Changed);
    }
}
