//! Use cases, one per file, for every kind of bookmark; a change owns its transaction, stamps it and appends its
//! events.

pub(crate) mod calendar;
pub(crate) mod count_bookmarks;
pub(crate) mod create_bookmark;
pub(crate) mod create_bookmarks;
pub(crate) mod delete_bookmark;
pub(crate) mod erase_reader;
pub(crate) mod export_reader;
mod learn;
pub(crate) mod list_bookmarks;
pub(crate) mod list_saved;
pub(crate) mod map_bookmarks;
pub(crate) mod set_done;
