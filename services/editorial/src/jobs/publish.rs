//! Items appear and go at their time, and recurring events go on.

use std::time::Duration;

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{
    context::Context,
    usecases::{expand_events::expand_events, publish_due::publish_due},
};

/// An item is seen at most this long after its time.
const POLL: Duration = Duration::from_millis(250);
/// Occurrences are kept for more than a year, so that this need not be often.
const EXPAND: Duration = Duration::from_hours(6);

/// Starts both jobs.
pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    let due = context.clone();
    jobs.every(life, "publish due items", POLL, move || {
        let context = due.clone();
        async move { publish_due(&context).await }
    });
    let events = context.clone();
    jobs.every(life, "expand recurring events", EXPAND, move || {
        let context = events.clone();
        async move { expand_events(&context).await }
    });
}
