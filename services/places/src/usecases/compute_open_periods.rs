//! Computes open periods of places, for lists of open places.

use std::ops::Range;

use chassis::{computing::computed, error::Fault};
use chrono::{NaiveDateTime, TimeDelta};

use crate::{
    context::Context,
    domain::Hours,
    store::open_periods::{self, Block, Computed},
};

/// Number of places per batch.
const BATCH: i64 = 2_000;
/// Start of the window before now: local times are up to twelve hours behind UTC, and a process with a slow clock may
/// request past times.
const BEFORE: TimeDelta = TimeDelta::days(1);
/// End of the window after now.
const AHEAD: TimeDelta = TimeDelta::days(15);
/// Stored periods that end earlier than this after now are recomputed. Local times are up to fourteen hours ahead of
/// UTC; the remaining time is how long the job may fail before lists must evaluate opening hours themselves.
const AT_LEAST: TimeDelta = TimeDelta::days(8);

/// Computes missing periods and periods that end soon, and deletes periods of unused opening hours; returns the number
/// of computed opening hours. It can be interrupted at any time: [`crate::usecases::list_listings`] evaluates opening
/// hours without stored periods.
pub(crate) async fn compute_open_periods(context: &Context) -> Result<u64, Fault> {
    let now = context.clock.now().naive_utc();
    let window = now - BEFORE..now + AHEAD;
    let (mut after, mut computed) = (0, 0);
    loop {
        let Block { last, hours } =
            open_periods::lacking(&context.pool, after, BATCH, now + AT_LEAST).await?;
        let Some(last) = last else { break };
        after = last;
        if hours.is_empty() {
            continue;
        }
        computed += hours.len() as u64;
        let periods = compute(hours, window.clone()).await?;
        open_periods::keep(&context.pool, &window, periods).await?;
    }
    open_periods::delete_over(&context.pool, window.start).await?;
    Ok(computed)
}

/// Runs after an import, so that lists of open places need not evaluate its opening hours. If the computation fails,
/// lists evaluate them until the job has run.
pub(crate) async fn compute_imported(context: &Context) {
    if let Err(error) = compute_open_periods(context).await {
        tracing::warn!(%error, "computing open periods failed; a periodic job retries");
    }
}

/// Runs on a blocking thread: parsing thousands of opening hours would block a worker thread for a noticeable time.
async fn compute(hours: Vec<String>, window: Range<NaiveDateTime>) -> Result<Vec<Computed>, Fault> {
    computed("a computation of open periods", move || {
        let each = hours.into_iter().map(|text| {
            // The opening hours were validated before they were stored.
            let parsed = Hours::parse(&text).ok().flatten();
            let periods = parsed.map_or_else(Vec::new, |hours| hours.periods(&window));
            Computed {
                hours: text,
                periods,
            }
        });
        each.collect()
    })
    .await
}
