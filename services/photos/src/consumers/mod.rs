//! Events handled here, one file each.

pub(crate) mod listings_changed;
pub(crate) mod profile_changed;
