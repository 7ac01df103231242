//! Periodic jobs.

pub(crate) mod compute_open_periods;
pub(crate) mod forget_vote_sources;
pub(crate) mod rank_by_votes;
pub(crate) mod settle_bursts;
