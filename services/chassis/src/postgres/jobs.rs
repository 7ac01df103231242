//! Periodic jobs: each runs in one process at a time, however many there are.

use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::PgPool;

use crate::{error::Fault, lifecycle::Lifecycle};

/// How often what is over is cleared away.
pub const HOUR: Duration = Duration::from_hours(1);

/// Runs `work` every `period`, first after one period. `work` answers how many things it did.
pub fn every(
    life: &Lifecycle,
    pool: PgPool,
    name: &'static str,
    period: Duration,
    work: impl Fn() -> BoxFuture<'static, Result<u64, Fault>> + Send + Sync + 'static,
) {
    let stopping = life.clone();
    life.spawn(name, async move {
        loop {
            tokio::select! {
                () = stopping.stopping() => return,
                () = tokio::time::sleep(period) => {}
            }
            match alone(&pool, name, &work).await {
                Ok(Some(done)) => tracing::debug!(job = name, done, "job ran"),
                Ok(None) => tracing::debug!(job = name, "job runs elsewhere"),
                Err(error) => tracing::warn!(job = name, %error, "job failed; it runs again"),
            }
        }
    });
}

/// Runs the work under a lock that ends with this transaction; `None` where another holds it.
async fn alone(
    pool: &PgPool,
    name: &str,
    work: &(impl Fn() -> BoxFuture<'static, Result<u64, Fault>> + Send + Sync),
) -> Result<Option<u64>, Fault> {
    let mut transaction = pool.begin().await?;
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
