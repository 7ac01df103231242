//! Types and rules of what readers save.

mod bookmark;
mod target;

pub(crate) use bookmark::{Bookmark, MapEntry, Saved};
pub(crate) use target::{Target, TargetKind};
