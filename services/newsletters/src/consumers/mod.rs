//! Events handled here, one file each.

pub(crate) mod profile_changed;
