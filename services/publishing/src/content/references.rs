//! References to places in a folder's files.

use std::collections::BTreeSet;

use editorial_proto::v1::NamedPlace;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(super) slug: String,
    /// "articles/news/a-new-streetcar.md, line 9".
    pub(super) named_at: String,
}

/// Returns references as an item contains them until their places are found.
pub(super) fn unresolved<'a>(
    references: impl IntoIterator<Item = &'a Reference>,
) -> Vec<NamedPlace> {
    let slugs: BTreeSet<&str> = references.into_iter().map(|one| &*one.slug).collect();
    let places = slugs.into_iter().map(|slug| NamedPlace {
        slug: slug.to_owned(),
        ..NamedPlace::default()
    });
    places.collect()
}
