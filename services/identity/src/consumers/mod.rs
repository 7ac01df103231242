//! Events handled here, one file each.

mod last_updated;

pub(crate) use last_updated::LastUpdatedConsumer;
