//! What the service does, one file each.

pub(crate) mod import;
pub(crate) mod judge;
mod names;
pub(crate) mod plan;
pub(crate) mod purge;
pub(crate) mod read_log;
pub(crate) mod record;
pub(crate) mod report;
mod revise;
pub(crate) mod sync;
