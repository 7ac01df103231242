//! Periodic jobs: each runs in only one process at a time.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::{
    error::{Code, Fault},
    lifecycle::Lifecycle,
};

/// The interval of purges.
const HOUR: Duration = Duration::from_hours(1);
/// The delay before the first purges of a process, so that a process that restarts every hour also purges.
const SOON: Duration = Duration::from_secs(30);
/// How long a run may continue after the process was asked to stop. Its committed work remains, and the next run
/// continues from there, as after a crash.
const LAST: Duration = Duration::from_secs(2);
/// A database that takes longer to connect or respond counts as unavailable.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The retry interval for a requested job that currently runs in another process.
const ELSEWHERE: Duration = Duration::from_millis(5);
/// A job with a shorter interval keeps its lock's connection: opening one costs PostgreSQL more than most runs do.
const OFTEN: Duration = Duration::from_secs(10);

/// The work of a periodic job: an async function of a context that returns the number of items processed.
pub trait Work<'a, C: 'a>: Fn(&'a C) -> Self::Done + Send + Sync + 'static {
    /// The future of a run.
    type Done: Future<Output = Result<u64, Fault>> + Send;
}

impl<'a, C, F, D> Work<'a, C> for F
where
    C: 'a,
    F: Fn(&'a C) -> D + Send + Sync + 'static,
    D: Future<Output = Result<u64, Fault>> + Send,
{
    type Done = D;
}

/// The periodic jobs of a service. They use at most half of its pool's connections; the rest is for its relay,
/// consumers and durable jobs.
#[derive(Clone)]
pub struct PeriodicJobs {
    pool: PgPool,
    slots: Arc<Semaphore>,
    /// Requests each job of [`Self::every`] to run now. The response says whether it ran in this process.
    requests: Arc<Mutex<Vec<mpsc::Sender<oneshot::Sender<bool>>>>>,
}

crate::opaque_debug!(PeriodicJobs);

impl PeriodicJobs {
    /// The jobs of the service with this pool.
    #[must_use]
    pub fn new(pool: PgPool) -> Self {
        let slots = pool.options().get_max_connections() / 2;
        let slots = usize::try_from(slots).unwrap_or(usize::MAX).max(1);
        Self {
            pool,
            slots: Arc::new(Semaphore::new(slots)),
            requests: Arc::default(),
        }
    }

    /// Runs `work` every `period`, first after one period, until the process stops.
    pub fn every<C, W>(
        &self,
        life: &Lifecycle,
        name: &'static str,
        period: Duration,
        context: &C,
        work: W,
    ) where
        C: Clone + Send + Sync + 'static,
        W: for<'a> Work<'a, C>,
    {
        let (request, requested) = mpsc::channel(1);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.push(request);
        drop(requests);
        self.run(life, name, ([period, period], requested), context, work);
    }

    /// Runs each job of [`Self::every`] once in this process. Tests call it instead of waiting.
    pub async fn run_now(&self) {
        let requests = self
            .requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        for request in requests {
            loop {
                let (answer, ran) = oneshot::channel();
                // A job that has ended cannot run.
                if request.send(answer).await.is_err() || ran.await.unwrap_or(true) {
                    break;
                }
                tokio::time::sleep(ELSEWHERE).await;
            }
        }
    }

    /// Runs a purge soon after the start and then hourly, until the process stops.
    pub fn hourly<C, W>(&self, life: &Lifecycle, name: &'static str, context: &C, purge: W)
    where
        C: Clone + Send + Sync + 'static,
        W: for<'a> Work<'a, C>,
    {
        let never = mpsc::channel(1).1;
        self.run(life, name, ([SOON, HOUR], never), context, purge);
    }

    /// Runs `work` after the first interval, then after each further interval, and when requested.
    fn run<C, W>(
        &self,
        life: &Lifecycle,
        name: &'static str,
        ([first, further], requested): ([Duration; 2], mpsc::Receiver<oneshot::Sender<bool>>),
        context: &C,
        work: W,
    ) where
        C: Clone + Send + Sync + 'static,
        W: for<'a> Work<'a, C>,
    {
        let (jobs, stopping) = (self.clone(), life.clone());
        let (context, work) = (context.clone(), Arc::new(work));
        let requested = Arc::new(tokio::sync::Mutex::new(requested));
        life.supervise(name, move || {
            let (jobs, stopping) = (jobs.clone(), stopping.clone());
            let (context, work) = (context.clone(), Arc::clone(&work));
            let requested = Arc::clone(&requested);
            async move {
                let mut requested = requested.lock().await;
                let mut pause = first;
                let mut kept = None;
                loop {
                    let mut answer = None;
                    tokio::select! {
                        () = stopping.stopping() => return close(kept).await,
                        () = tokio::time::sleep(pause) => {}
                        Some(request) = requested.recv() => answer = Some(request),
                    }
                    pause = further;
                    let run = jobs.run_alone(name, &mut kept, || work(&context));
                    let Some(ran) = finished(&stopping, run).await else {
                        tracing::info!(job = name, "a periodic job stops unfinished; its next run continues");
                        return;
                    };
                    if pause >= OFTEN {
                        close(kept.take()).await;
                    }
                    if let Some(answer) = answer {
                        // The requester may have stopped waiting.
                        let _ = answer.send(!matches!(ran, Ok(None)));
                    }
                    match ran {
                        Ok(Some(done)) => tracing::debug!(job = name, done, "a periodic job ran"),
                        Ok(None) => tracing::debug!(job = name, "a periodic job runs in another process"),
                        Err(error) => {
                            tracing::warn!(job = name, %error, "a periodic job failed; it runs again at its next interval");
                        }
                    }
                }
            }
        });
    }

    /// Runs the work under a lock; `None` if another process holds the lock. The lock is held by a separate connection
    /// outside of any transaction, and is released when the connection closes, even if the work panics or is cancelled.
    /// The connection is kept for the next run only if the lock was released.
    async fn run_alone<F>(
        &self,
        name: &str,
        kept: &mut Option<PgConnection>,
        work: impl FnOnce() -> F,
    ) -> Result<Option<u64>, Fault>
    where
        F: Future<Output = Result<u64, Fault>>,
    {
        // The semaphore is never closed.
        let _slot = self.slots.acquire().await.ok();
        let (mut lock, is_ours) = self.lock(kept.take(), name).await?;
        let done = if is_ours { Some(work().await) } else { None };
        if !is_ours || unlock(&mut lock, name).await.is_ok() {
            *kept = Some(lock);
        }
        done.transpose()
    }

    /// Tries to acquire the lock, on a new connection if the kept one is broken. Returns whether it was acquired.
    async fn lock(
        &self,
        kept: Option<PgConnection>,
        name: &str,
    ) -> Result<(PgConnection, bool), Fault> {
        if let Some(mut kept) = kept
            && let Ok(is_ours) = try_lock(&mut kept, name).await
        {
            return Ok((kept, is_ours));
        }
        let options = self.pool.connect_options();
        let mut lock = in_time(PgConnection::connect_with(&options)).await?;
        let is_ours = try_lock(&mut lock, name).await?;
        Ok((lock, is_ours))
    }
}

async fn try_lock(connection: &mut PgConnection, name: &str) -> Result<bool, Fault> {
    let asked = sqlx::query_scalar!(
        r#"SELECT pg_try_advisory_lock(hashtextextended(current_schema() || '.' || $1, 0)) AS "is_ours!""#,
        name,
    );
    in_time(asked.fetch_one(connection)).await
}

async fn unlock(connection: &mut PgConnection, name: &str) -> Result<(), Fault> {
    let given_back = sqlx::query_scalar!(
        r#"SELECT pg_advisory_unlock(hashtextextended(current_schema() || '.' || $1, 0)) AS "was_ours!""#,
        name,
    );
    if in_time(given_back.fetch_one(connection)).await? {
        Ok(())
    } else {
        Err(Fault::new(Code::Internal, "the lock of a job was lost"))
    }
}

/// Closes a connection. The server would also detect an unannounced disconnection.
async fn close(connection: Option<PgConnection>) {
    if let Some(connection) = connection {
        let _ = in_time(connection.close()).await;
    }
}

async fn in_time<T>(answer: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, Fault> {
    tokio::time::timeout(TIMEOUT, answer)
        .await
        .map_err(|_| Fault::new(Code::Unavailable, "PostgreSQL cannot be reached in time"))?
        .map_err(Fault::from)
}

/// The result of a run; `None` if it has not finished soon after the process was asked to stop.
async fn finished<T>(life: &Lifecycle, run: impl Future<Output = T>) -> Option<T> {
    let given_up = async {
        life.stopping().await;
        tokio::time::sleep(LAST).await;
    };
    tokio::select! {
        ran = run => Some(ran),
        () = given_up => None,
    }
}
