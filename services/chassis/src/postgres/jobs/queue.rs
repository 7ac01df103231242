//! The queue to which use cases append jobs.

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

/// The queue to which use cases append jobs.
#[derive(Clone)]
pub struct JobQueue {
    clock: SharedClock,
    entropy: SharedEntropy,
    /// Notifies the workers after each commit.
    wake: watch::Sender<()>,
}

crate::opaque_debug!(JobQueue);

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

    /// Appends a job that must not run before `delay` has passed.
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

    /// Commits the transaction, then wakes this process's workers.
    pub async fn commit(&self, transaction: Transaction<'_, Postgres>) -> Result<(), sqlx::Error> {
        transaction.commit().await?;
        self.wake.send_replace(());
        Ok(())
    }

    /// Deletes the jobs of a kind, including dead ones, that were appended until an instant and whose payload field
    /// matches one of `texts`, ignoring case. Returns how many. A job that is currently running may still complete.
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

    /// Notified after each commit of this process.
    pub(super) fn wakes(&self) -> watch::Receiver<()> {
        self.wake.subscribe()
    }

    pub(super) fn clock(&self) -> &SharedClock {
        &self.clock
    }
}
