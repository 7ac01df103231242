//! Forgets where votes came from, once that no longer tells a burst.

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{context::Context, usecases::bursts::forget_sources};

/// Starts the job.
pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    let context = context.clone();
    jobs.hourly(life, "forget sources of votes", move || {
        let context = context.clone();
        async move { forget_sources(&context).await }
    });
}
