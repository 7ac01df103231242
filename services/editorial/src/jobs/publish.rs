//! Items appear and go at their time, and recurring events go on.

use std::time::Duration;

use chassis::{error::Fault, lifecycle::Lifecycle, postgres::jobs};

use crate::{
    context::Context,
    usecases::{expand_events::expand_events, publish_due::publish_due},
};

/// An item is seen at most this long after its time.
const LOOK: Duration = Duration::from_millis(250);
/// Occurrences are kept for more than a year, so that this need not be often.
const EXPAND: Duration = Duration::from_hours(6);

/// Starts both jobs.
pub(crate) fn start(context: &Context, life: &Lifecycle) {
    let due = context.clone();
    let pool = context.pool.clone();
    jobs::every(life, pool.clone(), "publish what is due", LOOK, move || {
        let context = due.clone();
        Box::pin(async move { publish_due(&context).await.map_err(Fault::from) })
    });
    let events = context.clone();
    jobs::every(life, pool, "expand recurring events", EXPAND, move || {
        let context = events.clone();
        Box::pin(async move { expand_events(&context).await.map_err(Fault::from) })
    });
}
