//! The cache key of a public answer, and its invalidation tags.

use std::{fmt::Display, sync::Arc};

use crate::edge::params::Params;

/// An invalidation tag: an answer is dropped when something it shows changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Tag {
    /// Types and neighbourhoods; every answer about places shows them.
    Areas,
    /// Any place: for lists, counts and resolved paths.
    Listings,
    /// One place.
    Listing(i64),
    /// Any item.
    Items,
    /// Readers' photos of any place.
    Photos,
    /// Readers' photos of one place.
    PhotosOf(i64),
    /// One article, event, contest, video or page.
    Item(i64),
}

/// The cache key of an answer. It consists of the resource's known parameters and never of the requested address, so
/// that clients can neither create additional entries nor inject text into other clients' answers.
#[derive(Debug, Clone)]
pub(crate) struct CacheKey {
    pub(super) text: Arc<str>,
    tags: &'static [Tag],
    own: [Option<Tag>; 2],
}

impl CacheKey {
    /// The key of a list, from the resource's known parameters (see [`Params::only`]).
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
            own: [None; 2],
        }
    }

    /// The key of a single object, from its parsed id or slug.
    pub(crate) fn one(path: &str, name: impl Display, tags: &'static [Tag]) -> Self {
        Self {
            text: format!("{path}{name}/").into(),
            tags,
            own: [None; 2],
        }
    }

    /// The key of a single object's file, from its id.
    pub(crate) fn file(path: &str, id: i64, extension: &str) -> Self {
        Self {
            text: format!("{path}{id}{extension}").into(),
            tags: &[],
            own: [None; 2],
        }
    }

    /// Adds a tag; a third tag replaces the second.
    pub(crate) fn tagged(mut self, tag: Tag) -> Self {
        let free = usize::from(self.own[0].is_some());
        self.own[free] = Some(tag);
        self
    }

    pub(super) fn all_tags(&self) -> impl Iterator<Item = Tag> {
        self.tags
            .iter()
            .copied()
            .chain(self.own.into_iter().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["limit", "offset", "type"];

    fn key(query: &str) -> String {
        let params = Params::parse(query).only(KNOWN);
        CacheKey::list("/l/", &params, &[Tag::Listings])
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
            "type=%61&limit=5&offset=0",
        ] {
            assert_eq!(key(query), "/l/?limit=5&type=a", "{query}");
        }
        assert_ne!(key("type=a%26limit=5"), key("type=a&limit=5"));
        // Duplicate parameters are rejected, so they must not be merged into a valid key.
        assert_eq!(key("limit=12&limit=12"), "/l/?limit=12&limit=12");
        assert_eq!(key("limit=&limit=5"), "/l/?limit=&limit=5");
        assert_eq!(key("offset="), "/l/?offset=");
    }
}
