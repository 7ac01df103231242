//! Periodic jobs.

pub(crate) mod compute_open_periods;
pub(crate) mod rank_by_votes;
