//! Consumers of events, one file each.

pub(crate) mod profile_changed;
