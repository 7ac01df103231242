//! Deletes data that is no longer needed.

use chassis::error::Fault;
use chrono::{NaiveDate, NaiveTime, TimeDelta};

use crate::{
    context::Context,
    store::{batches, events, reports, servers, traffic},
};

/// The maximum number of days that a run deletes.
const DAYS: i32 = 50;
/// How long page counts are kept. The curve is based on the last four weeks.
const TRAFFIC: TimeDelta = TimeDelta::weeks(5);
/// A process not seen for this long has ended.
const SERVERS: TimeDelta = TimeDelta::days(1);

/// Deletes the events of days whose retention period has ended; returns the number of days. Each statement is small, so
/// that a backlog is worked off in the course of the runs, and none depends on the judging of other days.
///
/// A batch is first marked as emptied. Its events are deleted by the next run, after calls that read the log have ended.
/// Days with an event that is not judged yet stay.
pub(crate) async fn purge_events(context: &Context) -> Result<u64, Fault> {
    let (pool, now) = (&context.pool, context.clock.now());
    let days = events::days(pool, DAYS).await?;
    measure(context, days.first().copied());
    let expired = (now - context.keep_events).date_naive();
    let kept = batches::first_day(pool).await?.unwrap_or(expired);
    let mut dropped = 0;
    for day in days {
        if day >= expired.min(kept) {
            break;
        }
        events::drop_day(pool, day).await?;
        dropped += 1;
    }
    batches::empty(pool, expired).await?;
    Ok(dropped)
}

/// Measures the oldest day, or today if it is not known, and the retention period. An alert compares the two with the
/// time, so that it also fires if the purge no longer runs.
#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
pub(crate) fn measure(context: &Context, oldest: Option<NaiveDate>) {
    let oldest = oldest.unwrap_or_else(|| context.clock.now().date_naive());
    let begins = oldest.and_time(NaiveTime::MIN).and_utc().timestamp();
    metrics::gauge!("ad_events_oldest_timestamp_seconds").set(begins as f64);
    metrics::gauge!("ad_events_retention_seconds").set(context.keep_events.as_seconds_f64());
}

/// Deletes expired hourly counts and traffic, and the records of processes that have ended; returns the number of rows.
pub(crate) async fn purge_reports(context: &Context) -> Result<u64, Fault> {
    let (pool, now) = (&context.pool, context.clock.now());
    let counts = reports::delete_before(pool, now - context.keep_reports).await?;
    let traffic = traffic::delete_before(pool, now - TRAFFIC).await?;
    Ok(counts + traffic + servers::delete_before(pool, now - SERVERS).await?)
}
