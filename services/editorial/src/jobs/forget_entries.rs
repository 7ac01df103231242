//! Deletes the entries of contests that ended long ago.

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{context::Context, usecases::forget_entries::forget_entries};

/// Starts the job.
pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    let context = context.clone();
    jobs.hourly(life, "forget contest entries", move || {
        let context = context.clone();
        async move { forget_entries(&context).await }
    });
}
