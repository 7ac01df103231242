//! Database access: the only module that contains SQL.

pub(crate) mod batches;
pub(crate) mod campaigns;
pub(crate) mod deliveries;
pub(crate) mod events;
pub(crate) mod intake;
pub(crate) mod log;
pub(crate) mod log_keys;
pub(crate) mod reports;
pub(crate) mod revisions;
pub(crate) mod servers;
pub(crate) mod traffic;
