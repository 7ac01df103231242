//! Event consumers, one per file.

pub(crate) mod listings_changed;
pub(crate) mod profile_changed;
