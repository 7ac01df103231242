//! Use cases, one per file.

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
