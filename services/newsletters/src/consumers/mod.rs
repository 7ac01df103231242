//! Events handled here, one file each.

mod profile_changed;

pub(crate) use profile_changed::ProfileChangedConsumer;
