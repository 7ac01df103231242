//! Forgets searches without results that are no longer counted.

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{context::Context, usecases::search::misses::forget};

/// Starts the job.
pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    let context = context.clone();
    jobs.hourly(life, "forget searches without results", move || {
        let context = context.clone();
        async move { forget(&context).await }
    });
}
