//! Where use cases put their jobs.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Postgres, Transaction, types::Json};
use tokio::sync::watch;
use uuid::Uuid;

use super::Job;
use crate::{
    clock::SharedClock,
    entropy::{self, SharedEntropy},
    trace,
};

/// Where use cases put their jobs.
#[derive(Clone)]
pub struct JobQueue {
    clock: SharedClock,
    entropy: SharedEntropy,
    /// Changes with each commit.
    wake: watch::Sender<()>,
}

impl std::fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JobQueue").finish_non_exhaustive()
    }
}

impl JobQueue {
    /// A queue for one service.
    #[must_use]
    pub fn new(clock: SharedClock, entropy: SharedEntropy) -> Self {
        Self {
            clock,
            entropy,
            wake: watch::Sender::new(()),
        }
    }

    /// Appends a job to the transaction of its change; returns its id.
    pub async fn append<J: Job>(
        &self,
        transaction: &mut PgConnection,
        job: &J,
    ) -> Result<Uuid, sqlx::Error> {
        self.append_for_later(transaction, job, Duration::ZERO)
            .await
    }

    /// The same for a job that must not run before some time has passed.
    pub async fn append_for_later<J: Job>(
        &self,
        transaction: &mut PgConnection,
        job: &J,
        delay: Duration,
    ) -> Result<Uuid, sqlx::Error> {
        let id = entropy::uuid(self.entropy.as_ref());
        let now = self.clock.now();
        sqlx::query!(
            "INSERT INTO jobs (id, kind, payload, traceparent, created_at, wanted_at, due_at)
             VALUES ($1, $2, $3, $4, $5, $6, $6)",
            id,
            J::KIND,
            Json(job) as _,
            trace::current(),
            now,
            now + delay,
        )
        .execute(transaction)
        .await?;
        Ok(id)
    }

    /// Commits, then wakes the workers of this process.
    pub async fn commit(&self, transaction: Transaction<'_, Postgres>) -> Result<(), sqlx::Error> {
        transaction.commit().await?;
        self.wake.send_replace(());
        Ok(())
    }

    /// Deletes the jobs of a kind that were appended until an instant and whose payload has one of these texts in a
    /// field, in any case; dead ones too. Returns how many. One that a worker holds at this moment may still be done.
    pub async fn withdraw<J: Job>(
        &self,
        transaction: &mut PgConnection,
        field: &str,
        texts: &[String],
        until: DateTime<Utc>,
    ) -> Result<u64, sqlx::Error> {
        let done = sqlx::query!(
            "DELETE FROM jobs WHERE kind = $1 AND created_at <= $2
                 AND lower(payload ->> $3) = ANY(SELECT lower(wanted) FROM unnest($4::text[]) AS wanted)",
            J::KIND,
            until,
            field,
            texts,
        )
        .execute(transaction)
        .await?;
        Ok(done.rows_affected())
    }

    /// Changes with each commit of this process.
    pub(super) fn wakes(&self) -> watch::Receiver<()> {
        self.wake.subscribe()
    }

    pub(super) fn clock(&self) -> &SharedClock {
        &self.clock
    }
}
