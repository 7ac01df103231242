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

/// Maximum delay between an item's time and its publication, and between a change and its indexing.
const POLL: Duration = Duration::from_millis(250);
/// Interval of expanding recurring events. It can be long, as occurrences are stored for more than a year ahead.
const EXPAND: Duration = Duration::from_hours(6);

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
