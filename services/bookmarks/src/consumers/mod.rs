//! Events handled here, one file each.

mod items_changed;
mod listings_changed;
mod retell;

pub(crate) use items_changed::ItemsChangedConsumer;
pub(crate) use listings_changed::ListingsChangedConsumer;
pub(crate) use retell::RetellConsumer;
