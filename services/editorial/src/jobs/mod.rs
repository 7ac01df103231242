//! Periodic jobs.

pub(crate) mod forget_entries;
pub(crate) mod publish;
