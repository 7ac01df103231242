//! Periodic jobs.

pub(crate) mod purge_sessions;
