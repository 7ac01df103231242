//! Types and rules of bookmarks.

mod bookmark;
mod target;

pub(crate) use bookmark::{Bookmark, MapEntry, Saved};
pub(crate) use target::{Target, TargetKind};
