//! Statements, one file per table.

pub(crate) mod bookmarks;
pub(crate) mod targets;
