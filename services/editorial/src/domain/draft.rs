//! Items that readers are not shown, and those of them that an editor has published.

use chrono::{DateTime, Utc};

use super::{Kind, Named};

/// A draft, or an item that was one until an editor published it.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) id: i64,
    pub(crate) kind: Kind,
    /// Of its page.
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) source_id: String,
    /// Nobody is shown it before that, even if it is published.
    pub(crate) published_at: DateTime<Utc>,
    /// An editor's decision; `None`: it is a draft.
    pub(crate) released: Option<Release>,
}

/// An editor's decision to show a draft.
#[derive(Debug)]
pub(crate) struct Release {
    pub(crate) at: DateTime<Utc>,
    /// The operator.
    pub(crate) by: String,
}

/// A draft as an editor reads it.
#[derive(Debug)]
pub(crate) struct DraftText {
    pub(crate) draft: Draft,
    pub(crate) excerpt: String,
    pub(crate) body_html: String,
    pub(crate) authors: Vec<Named>,
    pub(crate) tags: Vec<Named>,
}
