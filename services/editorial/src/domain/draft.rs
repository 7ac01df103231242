//! Drafts, which are hidden from readers, and items that were drafts until an editor published them.

use chrono::{DateTime, Utc};

use super::{Kind, Named};

/// A draft, or an item that was one until an editor published it.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) id: i64,
    pub(crate) kind: Kind,
    /// Path of the item's page.
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) source_id: String,
    /// The item is hidden before this time even if it is published.
    pub(crate) published_at: DateTime<Utc>,
    /// The editor's decision; `None` for a draft.
    pub(crate) released: Option<Release>,
}

/// An editor's decision to publish a draft.
#[derive(Debug)]
pub(crate) struct Release {
    pub(crate) at: DateTime<Utc>,
    /// Name of the operator.
    pub(crate) by: String,
}

/// A draft with its text, for an editor.
#[derive(Debug)]
pub(crate) struct DraftText {
    pub(crate) draft: Draft,
    pub(crate) excerpt: String,
    pub(crate) body_html: String,
    pub(crate) authors: Vec<Named>,
    pub(crate) tags: Vec<Named>,
}
