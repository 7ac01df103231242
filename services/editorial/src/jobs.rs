//! Periodic jobs.

use std::time::Duration;

use chassis::{lifecycle::Lifecycle, postgres::periodic_jobs::PeriodicJobs};

use crate::{
    context::Context,
    usecases::{
        expand_events::expand_events,
        forget_entries::forget_entries,
        publish_due::publish_due,
        search::{index::index_due, misses},
    },
};

/// The longest delay between an item's time and its publication, and between a change and its indexing.
const POLL: Duration = Duration::from_millis(250);
/// Occurrences are stored for more than a year ahead, so this can be rare.
const EXPAND: Duration = Duration::from_hours(6);

/// Starts all of them.
pub(crate) fn start(context: &Context, jobs: &PeriodicJobs, life: &Lifecycle) {
    jobs.every(life, "publish due items", POLL, context, publish_due);
    jobs.every(
        life,
        "expand recurring events",
        EXPAND,
        context,
        expand_events,
    );
    jobs.every(life, "index for the search", POLL, context, index_due);
    jobs.hourly(life, "forget contest entries", context, forget_entries);
    jobs.hourly(
        life,
        "forget searches without results",
        context,
        misses::forget,
    );
}
