//! Counts changes of the catalogue, so that a cached answer knows whether it is outdated.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::atomic::{AtomicU64, Ordering},
};

use super::key::{CacheKey, Tag};

/// Counters of changes. Tags that share one by chance drop more than they must.
const COUNTERS: usize = 4_096;

/// The number of changes of each tag.
#[derive(Debug)]
pub(super) struct Changes {
    counters: Box<[AtomicU64]>,
    /// Times at which changes may have been missed.
    gaps: AtomicU64,
}

/// The counts at the moment when an answer began to be computed. An answer that was being computed
/// during a change is as outdated as one that was cached before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    changes: u64,
    gaps: u64,
}

/// Whether something has changed since a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Difference {
    Unchanged,
    /// The bus was away, so changes may have been missed.
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

    /// The current version of an answer. Counters only grow, so their sum tells whether one of them has.
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
