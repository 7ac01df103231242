//! Publishes and unpublishes items at their time, and expands recurring events.

use std::time::Duration;

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{
    context::Context,
    usecases::{expand_events::expand_events, publish_due::publish_due},
};

/// The longest delay between an item's time and its publication.
const POLL: Duration = Duration::from_millis(250);
/// Occurrences are stored for more than a year ahead, so this can be rare.
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
