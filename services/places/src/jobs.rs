//! Periodic jobs.

use std::time::Duration;

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{
    context::Context,
    usecases::{
        bursts::{forget_sources, settle_bursts},
        compute_open_periods::compute_open_periods,
        rate::rank_by_votes,
    },
};

/// Interval of jobs that affect lists, which gateways cache for a minute.
const MINUTE: Duration = Duration::from_mins(1);

pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    jobs.hourly(life, "compute open periods", context, compute_open_periods);
    jobs.every(life, "rank by votes", MINUTE, context, rank_by_votes);
    jobs.every(
        life,
        "settle bursts of votes",
        MINUTE,
        context,
        settle_bursts,
    );
    jobs.hourly(life, "forget sources of votes", context, forget_sources);
}
