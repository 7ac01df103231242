//! Periodic jobs.

pub(crate) mod forget_entries;
pub(crate) mod forget_misses;
pub(crate) mod index;
pub(crate) mod publish;
