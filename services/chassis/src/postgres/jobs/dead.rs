//! Dead jobs, as an operator lists, replays and deletes them.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    clock::SharedClock,
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{batches::in_batches, periodic_jobs::PeriodicJobs},
};

/// A dead job is kept this long for an operator.
const KEPT: TimeDelta = TimeDelta::days(30);

/// A job that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadJob {
    /// Its id.
    pub id: Uuid,
    /// The kind of work.
    pub kind: String,
    /// Attempts that failed.
    pub attempts: i32,
    /// When it was given up.
    pub dead_at: DateTime<Utc>,
    /// Why it was given up; the text may name people.
    pub last_error: String,
}

/// An operator's selection of dead jobs; all of them if both fields are absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeadJobs<'a> {
    /// Jobs of one kind.
    pub kind: Option<&'a str>,
    /// One job.
    pub id: Option<Uuid>,
}

impl DeadJobs<'_> {
    /// The oldest selected jobs, at most `limit`.
    pub async fn list(self, pool: &PgPool, limit: i64) -> Result<Vec<DeadJob>, Fault> {
        let jobs = sqlx::query_as!(
            DeadJob,
            r#"SELECT id, kind, attempts, dead_at AS "dead_at!", coalesce(last_error, '') AS "last_error!"
               FROM jobs
               WHERE dead_at IS NOT NULL AND ($1::text IS NULL OR kind = $1) AND ($2::uuid IS NULL OR id = $2)
               ORDER BY dead_at, id LIMIT $3"#,
            self.kind,
            self.id,
            limit,
        )
        .fetch_all(pool)
        .await?;
        Ok(jobs)
    }

    /// Queues them again, with all their attempts; returns how many there were.
    pub async fn replay(self, pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
        let done = sqlx::query!(
            "UPDATE jobs SET dead_at = NULL, last_error = NULL, attempts = 0, due_at = $3, wanted_at = $3
             WHERE dead_at IS NOT NULL AND ($1::text IS NULL OR kind = $1) AND ($2::uuid IS NULL OR id = $2)",
            self.kind,
            self.id,
            now,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    }

    /// Deletes them; returns how many there were.
    pub async fn delete(self, pool: &PgPool) -> Result<u64, Fault> {
        let done = sqlx::query!(
            "DELETE FROM jobs
             WHERE dead_at IS NOT NULL AND ($1::text IS NULL OR kind = $1) AND ($2::uuid IS NULL OR id = $2)",
            self.kind,
            self.id,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    }
}

/// Deletes jobs that died long ago; returns how many.
pub async fn forget_dead(pool: &PgPool, now: DateTime<Utc>) -> Result<u64, Fault> {
    let before = now - KEPT;
    in_batches(|most| async move {
        let done = sqlx::query!(
            "DELETE FROM jobs WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM jobs WHERE dead_at <= $1 LIMIT $2))",
            before,
            most,
        )
        .execute(pool)
        .await?;
        Ok(done.rows_affected())
    })
    .await
}

/// Deletes them every hour, until the process stops.
pub fn forget_dead_hourly(
    life: &Lifecycle,
    jobs: &PeriodicJobs,
    pool: &PgPool,
    clock: &SharedClock,
) {
    let context = (pool.clone(), clock.clone());
    jobs.hourly(
        life,
        "forget dead jobs",
        &context,
        async |(pool, clock): &(PgPool, SharedClock)| forget_dead(pool, clock.now()).await,
    );
}
