//! Periodic jobs: each runs in one process at a time, however many there are.

use std::{sync::Arc, time::Duration};

use sqlx::PgPool;
use tokio::sync::Semaphore;

use crate::{error::Fault, lifecycle::Lifecycle};

/// The interval of purges.
const HOUR: Duration = Duration::from_hours(1);
/// The time from the start of a process to its first purges: one that is restarted each hour purges too.
const SOON: Duration = Duration::from_secs(30);
/// Connections that a job holds while it runs: one for its lock, one for its work.
const CONNECTIONS: u32 = 2;

/// The periodic jobs of one service. No more of them run at a time than its pool has connections for:
/// jobs that each hold a lock and wait for another connection would wait for each other.
#[derive(Clone)]
pub struct PeriodicJobs {
    pool: PgPool,
    slots: Arc<Semaphore>,
}

impl std::fmt::Debug for PeriodicJobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PeriodicJobs").finish_non_exhaustive()
    }
}

impl PeriodicJobs {
    /// The jobs of the service that has this pool.
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        let slots = pool.options().get_max_connections() / CONNECTIONS;
        let slots = usize::try_from(slots).unwrap_or(usize::MAX).max(1);
        Self {
            pool,
            slots: Arc::new(Semaphore::new(slots)),
        }
    }

    /// Runs `work` every `period`, first after one period, until the process stops. `work` returns how many
    /// things it did.
    pub fn every<F>(
        &self,
        life: &Lifecycle,
        name: &'static str,
        period: Duration,
        work: impl Fn() -> F + Send + Sync + 'static,
    ) where
        F: Future<Output = Result<u64, Fault>> + Send + 'static,
    {
        self.run(life, name, [period, period], work);
    }

    /// Runs a purge soon after the start and then every hour, until the process stops. It returns how many rows it
    /// has deleted.
    pub fn hourly<F>(
        &self,
        life: &Lifecycle,
        name: &'static str,
        purge: impl Fn() -> F + Send + Sync + 'static,
    ) where
        F: Future<Output = Result<u64, Fault>> + Send + 'static,
    {
        self.run(life, name, [SOON, HOUR], purge);
    }

    /// Runs `work` after the first pause, and then after each further one.
    fn run<F>(
        &self,
        life: &Lifecycle,
        name: &'static str,
        [first, further]: [Duration; 2],
        work: impl Fn() -> F + Send + Sync + 'static,
    ) where
        F: Future<Output = Result<u64, Fault>> + Send + 'static,
    {
        let (jobs, stopping) = (self.clone(), life.clone());
        life.spawn(name, async move {
            let mut pause = first;
            loop {
                tokio::select! {
                    () = stopping.stopping() => return,
                    () = tokio::time::sleep(pause) => {}
                }
                pause = further;
                match jobs.run_alone(name, &work).await {
                    Ok(Some(done)) => tracing::debug!(job = name, done, "job ran"),
                    Ok(None) => tracing::debug!(job = name, "job runs elsewhere"),
                    Err(error) => tracing::warn!(job = name, %error, "job failed; it runs again"),
                }
            }
        });
    }

    /// Runs the work under a lock that ends with this transaction; `None` if another process holds it.
    async fn run_alone<F>(&self, name: &str, work: &impl Fn() -> F) -> Result<Option<u64>, Fault>
    where
        F: Future<Output = Result<u64, Fault>>,
    {
        // The semaphore is never closed.
        let _slot = self.slots.acquire().await.ok();
        let mut transaction = self.pool.begin().await?;
        let ours = sqlx::query_scalar!(
            r#"SELECT pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.' || $1, 0)) AS "ours!""#,
            name,
        )
        .fetch_one(&mut *transaction)
        .await?;
        let done = if ours { Some(work().await?) } else { None };
        transaction.commit().await?;
        Ok(done)
    }
}
