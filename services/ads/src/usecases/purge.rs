//! Deletes data that is no longer needed.

use chassis::error::Fault;
use chrono::TimeDelta;

use super::judge::judge_waiting;
use crate::{
    context::Context,
    store::{events, reports, servers, traffic},
};

/// The curve is based on the last four weeks.
const TRAFFIC: TimeDelta = TimeDelta::weeks(5);
/// A process not seen for this long has ended.
const SERVERS: TimeDelta = TimeDelta::days(1);

/// Deletes the events of days whose retention period has ended, after judging them; returns the number of days.
pub(crate) async fn purge_events(context: &Context) -> Result<u64, Fault> {
    judge_waiting(context).await?;
    let before = context.clock.now() - context.keep_events;
    let dropped = events::drop_days(&context.pool, before.date_naive()).await?;
    Ok(dropped.unsigned_abs())
}

/// Deletes expired hourly counts and traffic, and the records of processes that have ended; returns the number of rows.
pub(crate) async fn purge_reports(context: &Context) -> Result<u64, Fault> {
    let (pool, now) = (&context.pool, context.clock.now());
    let counts = reports::delete_before(pool, now - context.keep_reports).await?;
    let traffic = traffic::delete_before(pool, now - TRAFFIC).await?;
    Ok(counts + traffic + servers::delete_before(pool, now - SERVERS).await?)
}
