//! Events handled here, one file each.

mod listings_changed;
mod retell;

pub(crate) use listings_changed::ListingsChangedConsumer;
pub(crate) use retell::RetellConsumer;
