//! Events handled here, one file each.

mod retell;

pub(crate) use retell::RetellConsumer;
