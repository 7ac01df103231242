//! Entries to contests that are long over do not pile up.

use std::time::Duration;

use chassis::{error::Fault, lifecycle::Lifecycle, postgres::jobs};

use crate::{context::Context, usecases::forget_entries::forget_entries};

const HOUR: Duration = Duration::from_hours(1);

/// Starts the job.
pub(crate) fn start(context: &Context, life: &Lifecycle) {
    let (context, pool) = (context.clone(), context.pool.clone());
    jobs::every(life, pool, "forget contest entries", HOUR, move || {
        let context = context.clone();
        Box::pin(async move { forget_entries(&context).await.map_err(Fault::from) })
    });
}
