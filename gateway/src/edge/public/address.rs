//! What a public answer is of: its address in canonical form, and what it shows.

use std::{
    fmt::Display,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::edge::params::Params;

/// Counters of changes. Several tags may share one, which then drops more than it must.
const COUNTERS: usize = 4_096;

/// What an answer shows something of; a change of that drops it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Tag {
    /// Types and neighbourhoods, which every answer about places shows.
    Areas,
    /// More places than can be named: a list, counts, whatever stands at a path.
    Listings,
    /// One place.
    Listing(i64),
    /// More items than can be named.
    Items,
    /// One article, event, contest, video or page.
    Item(i64),
}

/// Which answer it is. It is made of what the resource knows, never of the address as a client wrote
/// it, so that no client can have its own entry, or put words into another's answer.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    pub(super) text: Arc<str>,
    pub(super) tags: &'static [Tag],
    pub(super) own: Option<Tag>,
}

impl Address {
    /// A list, by the parameters that the resource knows (see [`Params::only`]).
    pub(crate) fn list(path: &str, params: &Params, tags: &'static [Tag]) -> Self {
        let query = params.canonical();
        let text = if query.is_empty() {
            path.into()
        } else {
            format!("{path}?{query}").into()
        };
        Self {
            text,
            tags,
            own: None,
        }
    }

    /// One thing of a resource, by its id or slug as the handler has read it.
    pub(crate) fn one(path: &str, name: impl Display, tags: &'static [Tag]) -> Self {
        Self {
            text: format!("{path}{name}/").into(),
            tags,
            own: None,
        }
    }

    /// A file of one thing, by its id.
    pub(crate) fn file(path: &str, id: i64, extension: &str) -> Self {
        Self {
            text: format!("{path}{id}{extension}").into(),
            tags: &[],
            own: None,
        }
    }

    /// The same, dropped when this changes too.
    pub(crate) fn of(mut self, tag: Tag) -> Self {
        self.own = Some(tag);
        self
    }

    fn all_tags(&self) -> impl Iterator<Item = Tag> {
        self.tags.iter().copied().chain(self.own)
    }
}

/// How often what has changed.
#[derive(Debug)]
pub(super) struct Changes {
    counters: Box<[AtomicU64]>,
    /// Times at which changes may have been missed.
    gaps: AtomicU64,
}

/// How often it had when an answer began to be computed. An answer that was under way during a change
/// is as old as one that was kept before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing {
    changes: u64,
    gaps: u64,
}

/// What has happened to what an answer shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    /// Nothing.
    Unchanged,
    /// Perhaps something: the bus was away.
    Unknown,
    /// Something.
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

    /// Counters only grow, so their sum tells whether one of them has.
    pub(super) fn standing(&self, key: &Address) -> Standing {
        let counts = key
            .all_tags()
            .map(|tag| self.counter(tag).load(Ordering::Acquire));
        Standing {
            changes: counts.fold(0, u64::wrapping_add),
            gaps: self.gaps.load(Ordering::Acquire),
        }
    }

    pub(super) fn since(&self, then: &Standing, key: &Address) -> Since {
        let now = self.standing(key);
        if now.changes != then.changes {
            Since::Changed
        } else if now.gaps != then.gaps {
            Since::Unknown
        } else {
            Since::Unchanged
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

    const KNOWN: &[&str] = &["limit", "offset", "type"];

    fn key(query: &str) -> String {
        let params = Params::parse(query).only(KNOWN);
        Address::list("/l/", &params, &[Tag::Listings])
            .text
            .to_string()
    }

    #[test]
    fn what_the_resource_does_not_know_has_no_entry_of_its_own() {
        for query in [
            "",
            "utm_source=x",
            "limit=12",
            "offset=0",
            "type=&limit=12&_=1",
        ] {
            assert_eq!(key(query), "/l/", "{query}");
        }
        for query in [
            "type=a&limit=5",
            "limit=5&x=1&type=a",
            "type=%61&limit=5&offset=",
        ] {
            assert_eq!(key(query), "/l/?limit=5&type=a", "{query}");
        }
        assert_ne!(key("type=a%26limit=5"), key("type=a&limit=5"));
        // Two of one name are refused, so they must not pass for one.
        assert_eq!(key("limit=12&limit=12"), "/l/?limit=12&limit=12");
        assert_eq!(key("limit=&limit=5"), "/l/?limit=&limit=5");
    }

    #[test]
    fn a_change_is_known_from_a_gap() {
        let changes = Changes::default();
        let list = Address::list("/l/", &Params::default(), &[Tag::Areas, Tag::Listings]);
        let one = Address::one("/l/", 7, &[Tag::Areas]).of(Tag::Listing(7));
        let (of_list, of_one) = (changes.standing(&list), changes.standing(&one));
        changes.note(Tag::Listings);
        changes.note(Tag::Listing(8));
        assert_eq!(changes.since(&of_list, &list), Since::Changed);
        assert_eq!(changes.since(&of_one, &one), Since::Unchanged);
        changes.note_gap();
        assert_eq!(changes.since(&of_one, &one), Since::Unknown);
        changes.note(Tag::Listing(7));
        assert_eq!(changes.since(&of_one, &one), Since::Changed);
    }
}
