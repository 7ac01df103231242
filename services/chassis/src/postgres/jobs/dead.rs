//! Dead jobs, for an operator to list, replay and delete.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    clock::SharedClock,
    error::Fault,
    lifecycle::Lifecycle,
    postgres::{batches::in_batches, periodic_jobs::PeriodicJobs},
};

/// How long a dead job is kept.
const KEPT: TimeDelta = TimeDelta::days(30);

/// A job that has permanently failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadJob {
    /// The job's id.
    pub id: Uuid,
    /// The kind of job.
    pub kind: String,
    /// The recipient, if the job is a mail.
    pub recipient: Option<String>,
    /// The number of failed attempts.
    pub attempts: i32,
    /// When the job became dead.
    pub dead_at: DateTime<Utc>,
    /// The last error; it may contain personal data.
    pub last_error: String,
}

/// An operator's selection of dead jobs; all of them if both fields are absent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DeadJobs<'a> {
    /// Only jobs of this kind.
    pub kind: Option<&'a str>,
    /// Only this job.
    pub id: Option<Uuid>,
}

impl DeadJobs<'_> {
    /// Lists the oldest selected jobs, at most `limit`.
    pub async fn list(self, pool: &PgPool, limit: i64) -> Result<Vec<DeadJob>, Fault> {
        let jobs = sqlx::query_as!(
            DeadJob,
            r#"SELECT id, kind, payload ->> 'to' AS recipient, attempts, dead_at AS "dead_at!", coalesce(last_error, '') AS "last_error!"
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

    /// Requeues the selected jobs with all their attempts; returns how many.
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

    /// Deletes the selected jobs; returns how many.
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

/// Deletes jobs that became dead long ago; returns how many.
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

/// Runs [`forget_dead`] hourly, until the process stops.
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
