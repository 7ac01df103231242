//! Counts the votes of bursts that were accepted, or that have waited long enough.

use std::time::Duration;

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{context::Context, usecases::bursts::settle_bursts};

const PERIOD: Duration = Duration::from_mins(1);

/// Starts the job.
pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    let context = context.clone();
    jobs.every(life, "settle bursts of votes", PERIOD, move || {
        let context = context.clone();
        async move { settle_bursts(&context).await }
    });
}
