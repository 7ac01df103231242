//! The table `erased`: the number of rows deleted in a service for a departed reader, by kind. Counts are written in
//! the deleting transactions, so that a retry counts nothing twice.

use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::readers::v1::{Count, EraseResponse, Kept};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{batches::in_batches, periodic_jobs::PeriodicJobs};
use crate::{clock::SharedClock, error::Fault, lifecycle::Lifecycle};

/// Counts are kept for as long as an erasure may be retried.
const REMEMBERED: TimeDelta = TimeDelta::days(30);

/// Adds deleted rows of a kind to an erasure's counts.
pub async fn add(
    connection: &mut PgConnection,
    erasure_id: Uuid,
    kind: &str,
    rows: u64,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    if rows == 0 {
        return Ok(());
    }
    sqlx::query!(
        "INSERT INTO erased AS e (erasure_id, kind, count, at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (erasure_id, kind) DO UPDATE SET count = e.count + excluded.count, at = excluded.at",
        erasure_id,
        kind,
        rows.cast_signed(),
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// An erasure's counts, by kind.
pub async fn counts(pool: &PgPool, erasure_id: Uuid) -> Result<Vec<Count>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT kind, count FROM erased WHERE erasure_id = $1 ORDER BY kind",
        erasure_id,
    )
    .fetch_all(pool)
    .await?;
    let counts = rows.into_iter().map(|row| Count {
        kind: row.kind,
        count: row.count,
    });
    Ok(counts.collect())
}

/// A service's response: an erasure's counts, and the data that the service retains.
pub async fn answer(
    pool: &PgPool,
    erasure_id: Uuid,
    kept: Vec<Kept>,
) -> Result<EraseResponse, sqlx::Error> {
    let counts = counts(pool, erasure_id).await?;
    Ok(EraseResponse { counts, kept })
}

/// Deletes counts of erasures that are too old for a retry; returns how many.
pub async fn forget(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    let before = now - REMEMBERED;
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM erased WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM erased WHERE at <= $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

/// Runs [`forget`] hourly, until the process stops.
pub fn forget_hourly(life: &Lifecycle, jobs: &PeriodicJobs, pool: &PgPool, clock: &SharedClock) {
    let context = (pool.clone(), clock.clone());
    jobs.hourly(
        life,
        "forget counts of erasures",
        &context,
        async |(pool, clock): &(PgPool, SharedClock)| forget(pool, clock.now()).await,
    );
}
