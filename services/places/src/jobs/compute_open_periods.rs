//! Computes when places are open, ahead of time.

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{context::Context, usecases::compute_open_periods::compute_open_periods};

/// Starts the job: soon after the start, because the previous release has computed nothing, and then every hour.
pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    let context = context.clone();
    jobs.hourly(life, "compute open periods", move || {
        let context = context.clone();
        async move { compute_open_periods(&context).await }
    });
}
