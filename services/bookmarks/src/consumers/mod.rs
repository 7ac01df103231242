//! Events handled here, one file each.

mod listings_changed;

pub(crate) use listings_changed::ListingsChangedConsumer;
