//! Indexes what has changed.

use std::time::Duration;

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{context::Context, usecases::search::index::index_due};

/// How long a change waits at most before it is indexed.
const POLL: Duration = Duration::from_millis(250);

/// Starts the job.
pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    let context = context.clone();
    jobs.every(life, "index for the search", POLL, move || {
        let context = context.clone();
        async move { index_due(&context).await }
    });
}
