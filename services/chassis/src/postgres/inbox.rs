//! The inbox: records which events a consumer has handled, in the transactions of their effects.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{batches::in_batches, periodic_jobs::PeriodicJobs};
use crate::{clock::SharedClock, error::Fault, lifecycle::Lifecycle};

/// How long handled events are remembered. A later duplicate would be handled again, but brokers redeliver within
/// minutes.
const REMEMBERED: TimeDelta = TimeDelta::days(7);

/// Records that a queue's consumer handles an event. Returns false if it was handled before: the caller must then
/// change nothing.
pub async fn first_time(
    transaction: &mut PgConnection,
    queue: &str,
    event_id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO inbox (queue, event_id, handled_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        queue,
        event_id,
        now,
    )
    .execute(transaction)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes records of events handled long ago; returns how many.
pub async fn forget_handled(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    let before = now - REMEMBERED;
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM inbox WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM inbox WHERE handled_at < $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

/// Runs [`forget_handled`] hourly, until the process stops.
pub fn forget_handled_hourly(
    life: &Lifecycle,
    jobs: &PeriodicJobs,
    pool: &PgPool,
    clock: &SharedClock,
) {
    let context = (pool.clone(), clock.clone());
    jobs.hourly(
        life,
        "forget handled events",
        &context,
        async |(pool, clock): &(PgPool, SharedClock)| forget_handled(pool, clock.now()).await,
    );
}
