//! SQL statements, one file per table.

pub(crate) mod bookmarks;
pub(crate) mod readers;
pub(crate) mod targets;
