//! The tables `erased_readers`, whose readers get no new rows, and `erased`: the number of rows deleted in a service for
//! a departed reader, by kind. Counts are written in the deleting transactions, so that a retry counts nothing twice.
//!
//! Each table with readers' rows has the trigger `refuse_erased_reader`, which fails for an erased reader with
//! [`Code::NotAuthenticated`](crate::error::Code::NotAuthenticated).

use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::readers::v1::{Count, EraseResponse, Kept};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{batches::in_batches, periodic_jobs::PeriodicJobs};
use crate::{clock::SharedClock, error::Fault, lifecycle::Lifecycle};

/// Counts and ids are kept for as long as an erasure, an event or a job may be retried.
pub const REMEMBERED: TimeDelta = TimeDelta::days(30);

/// Refuses rows for the reader as soon as the transaction is committed; the first step of an erasure. It waits for
/// transactions that have written for the reader, so that later statements find their rows.
pub async fn refuse_writes(
    connection: &mut PgConnection,
    profile_id: i64,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), $1))",
        profile_id,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO erased_readers (profile_id, at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        profile_id,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// [`refuse_writes`] in its own transaction.
pub async fn begin(pool: &PgPool, profile_id: i64, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    let mut transaction = pool.begin().await?;
    refuse_writes(&mut transaction, profile_id, now).await?;
    transaction.commit().await
}

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

/// Deletes counts and ids of erasures that are too old for a retry; returns how many.
pub async fn forget(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    let before = now - REMEMBERED;
    let counts = in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM erased WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM erased WHERE at <= $1 LIMIT $2))",
            before,
            most,
        );
        Ok(done.execute(pool).await?.rows_affected())
    });
    let counts = counts.await?;
    let readers = in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM erased_readers WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM erased_readers WHERE at <= $1 LIMIT $2))",
            before,
            most,
        );
        Ok(done.execute(pool).await?.rows_affected())
    });
    Ok(counts + readers.await?)
}

/// Runs [`forget`] hourly, until the process stops.
pub fn forget_hourly(life: &Lifecycle, jobs: &PeriodicJobs, pool: &PgPool, clock: &SharedClock) {
    let context = (pool.clone(), clock.clone());
    jobs.hourly(
        life,
        "forget old erasures",
        &context,
        async |(pool, clock): &(PgPool, SharedClock)| forget(pool, clock.now()).await,
    );
}
