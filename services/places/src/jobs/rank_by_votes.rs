//! Orders lists by readers' votes.

use std::time::Duration;

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{context::Context, usecases::rate::rank_by_votes};

/// Gateways keep lists for a minute.
const PERIOD: Duration = Duration::from_mins(1);

/// Starts the job.
pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    let context = context.clone();
    jobs.every(life, "rank by votes", PERIOD, move || {
        let context = context.clone();
        async move { rank_by_votes(&context).await }
    });
}
