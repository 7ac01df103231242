//! Periodic jobs.

pub(crate) mod compute_open_periods;
