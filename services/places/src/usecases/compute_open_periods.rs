//! Compute when places are open, for lists of open places.

use std::ops::Range;

use chassis::{computing::computed, error::Fault};
use chrono::{NaiveDateTime, TimeDelta};

use crate::{
    context::Context,
    domain::Hours,
    store::open_periods::{self, Block, Computed},
};

/// Places that are looked at together.
const BATCH: i64 = 2_000;
/// Wall clocks are up to twelve hours behind UTC; and a process whose clock is slow asks for the past.
const BEFORE: TimeDelta = TimeDelta::days(1);
/// The time that is computed.
const AHEAD: TimeDelta = TimeDelta::days(15);
/// Periods that end within this time are computed anew. Wall clocks are up to fourteen hours ahead of UTC, and the
/// rest is the time that the job may fail before a list has to evaluate hours itself.
const AT_LEAST: TimeDelta = TimeDelta::days(8);

/// Computes the periods of hours that have none or that end soon, and deletes those of hours that no place has any
/// more; returns how many hours were computed. What is stored is right whenever it ends, so it does not matter where
/// this stops: [`crate::usecases::list_listings`] evaluates the hours of all others.
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

/// After an import: lists of open places need not evaluate its hours. If this fails they do, until the job has run.
pub(crate) async fn compute_imported(context: &Context) {
    if let Err(error) = compute_open_periods(context).await {
        tracing::warn!(%error, "open periods are not computed yet; the job does it");
    }
}

/// Thousands of texts take a noticeable part of a second, in which a worker thread could not answer anything.
async fn compute(hours: Vec<String>, window: Range<NaiveDateTime>) -> Result<Vec<Computed>, Fault> {
    computed("a computation of open periods", move || {
        let each = hours.into_iter().map(|text| {
            // It was validated when it was written.
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
