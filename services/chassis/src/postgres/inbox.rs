//! The inbox: which events a consumer has handled, written in the transaction of their effect.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::error::Fault;

/// A repeat later than this would be handled again; brokers repeat within minutes.
const REMEMBERED: TimeDelta = TimeDelta::days(7);

/// Notes that a queue's consumer handles an event. Answers false where it has before: the caller
/// then leaves everything as it is.
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

/// Forgets what was handled long ago; answers how much.
pub async fn forget_handled(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    let done = sqlx::query!("DELETE FROM inbox WHERE handled_at < $1", now - REMEMBERED)
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}
