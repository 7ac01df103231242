//! Runs a service's queued jobs of one kind.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::BoxFuture;
use sqlx::PgPool;
use tokio::{task::JoinSet, time::Instant};
use tracing::Instrument;
use uuid::Uuid;

use super::super::under_way::UnderWay;
use super::{Failure, Job, JobQueue, Policy, Run, doubling};
use crate::{clock::SharedClock, lifecycle::Lifecycle, trace};

/// The polling interval, for jobs appended by other processes and for retries.
const POLL: Duration = Duration::from_millis(500);
/// The interval at which the queue is measured.
const MEASURE: Duration = Duration::from_secs(5);
/// The first pause of a kind after an outage. It doubles with each further outage.
const FIRST_REST: TimeDelta = TimeDelta::seconds(1);
/// The maximum pause.
const MAX_REST: TimeDelta = TimeDelta::seconds(30);
/// The maximum number of jobs counted by the metrics; a longer queue is reported as this many.
const MAX_COUNTED: i64 = 100_000;

/// Executes a job from its raw payload.
type Work = Arc<dyn Fn(Run, serde_json::Value) -> Working + Send + Sync>;
type Working = BoxFuture<'static, Result<(), Failure>>;

/// Runs the jobs of one kind in one process. Several processes may have a runner for the same kind: each job is leased
/// to one process at a time.
#[derive(Clone)]
pub struct Runner {
    service: &'static str,
    kind: &'static str,
    max_outage: TimeDelta,
    pool: PgPool,
    queue: JobQueue,
    policy: Policy,
    work: Work,
    /// Running searches for due jobs, by this runner and its clones.
    taking: UnderWay,
    /// Jobs in progress, run by this runner and its clones.
    running: UnderWay,
    /// No job is taken before this instant, because recent jobs failed during an outage.
    rests_until: DateTime<Utc>,
    /// Consecutive outages.
    outages: u32,
}

/// A job leased to this process.
struct LeasedJob {
    id: Uuid,
    payload: serde_json::Value,
    traceparent: Option<String>,
    created_at: DateTime<Utc>,
    /// When the job was first due, or replayed.
    wanted_at: DateTime<Utc>,
    /// The number of attempts, including this one.
    attempts: i32,
}

/// The outcome of an attempt.
#[derive(Clone, Copy)]
enum Outcome {
    Done,
    /// The job waits for the end of the outage, which was detected at this instant.
    Outage(DateTime<Utc>),
    /// The job is retried later, or is dead.
    Failed,
    /// The outcome could not be stored: the job runs again when its lease ends.
    Unknown,
}

impl Runner {
    /// The runner of a service's jobs of a kind. `work` runs each job at least once: a second run must do no harm. Its
    /// future is dropped if it exceeds the policy's timeout or the process stops.
    pub fn new<J, F>(
        service: &'static str,
        pool: PgPool,
        queue: &JobQueue,
        policy: Policy,
        work: impl Fn(Run, J) -> F + Send + Sync + 'static,
    ) -> Self
    where
        J: Job,
        F: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        Self {
            service,
            kind: J::KIND,
            max_outage: J::MAX_OUTAGE,
            pool,
            queue: queue.clone(),
            policy,
            work: Arc::new(move |run, payload| match serde_json::from_value(payload) {
                Ok(job) => Box::pin(work(run, job)),
                Err(error) => {
                    let why = format!("the payload cannot be read: {error}");
                    Box::pin(std::future::ready(Err(Failure::Permanent(why))))
                }
            }),
            taking: UnderWay::default(),
            running: UnderWay::default(),
            rests_until: DateTime::UNIX_EPOCH,
            outages: 0,
        }
    }

    /// Runs in the background until the process stops; running jobs are then finished.
    pub fn start(self, life: &Lifecycle) {
        let stopping = life.clone();
        life.supervise(self.kind, move || self.clone().take_turns(stopping.clone()));
    }

    async fn take_turns(mut self, stopping: Lifecycle) {
        let mut wakes = self.queue.wakes();
        let mut running = JoinSet::new();
        let mut measured = Instant::now();
        // Whether jobs may be due: after a wake, a poll, or a full batch.
        let mut is_worth_a_look = true;
        loop {
            if is_worth_a_look {
                is_worth_a_look = self.take(&mut running).await;
            }
            tokio::select! {
                () = stopping.stopping() => break,
                _ = wakes.changed() => is_worth_a_look = true,
                () = tokio::time::sleep(POLL) => is_worth_a_look = true,
                Some(ended) = running.join_next() => self.note(ended.unwrap_or(Outcome::Unknown)),
            }
            if measured.elapsed() >= MEASURE {
                measured = Instant::now();
                self.measure().await;
            }
        }
        while running.join_next().await.is_some() {}
    }

    /// Runs jobs until none is due or an outage is met, and waits for the jobs of its clones; returns the number of jobs
    /// run so far. Tests call it instead of waiting.
    pub async fn drain(&mut self) -> usize {
        let mut running = JoinSet::new();
        loop {
            self.take(&mut running).await;
            if running.is_empty() {
                self.taking.ended().await;
                return self.running.ended().await;
            }
            while let Some(ended) = running.join_next().await {
                self.note(ended.unwrap_or(Outcome::Unknown));
            }
        }
    }

    /// Starts as many due jobs as there is room for; returns whether more may be due.
    async fn take(&self, running: &mut JoinSet<Outcome>) -> bool {
        if self.queue.clock().now() < self.rests_until {
            return false;
        }
        // After an outage, a single job probes whether it is over.
        let slots = if self.outages == 0 {
            self.policy.concurrency
        } else {
            1
        };
        let room = slots.saturating_sub(running.len());
        if room == 0 {
            return true;
        }
        let _taking = self.taking.begin();
        match self.lease(room).await {
            Ok(leased) => {
                let is_full = leased.len() == room;
                for leased in leased {
                    running.spawn(self.run(leased));
                }
                is_full
            }
            Err(error) => {
                let (service, kind) = (self.service, self.kind);
                tracing::warn!(service, kind, %error, "the queue of jobs cannot be read");
                false
            }
        }
    }

    /// Leases the jobs that have been due for longest.
    async fn lease(&self, room: usize) -> Result<Vec<LeasedJob>, sqlx::Error> {
        let now = self.queue.clock().now();
        sqlx::query_as!(
            LeasedJob,
            "WITH due AS MATERIALIZED (
                 SELECT id FROM jobs WHERE kind = $1 AND dead_at IS NULL AND due_at <= $2
                 ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED
             )
             UPDATE jobs SET attempts = attempts + 1, due_at = $3 FROM due WHERE jobs.id = due.id
             RETURNING jobs.id, payload, traceparent, created_at, wanted_at, attempts",
            self.kind,
            now,
            now + self.policy.lease(),
            i64::try_from(room).unwrap_or(i64::MAX),
        )
        .fetch_all(&self.pool)
        .await
    }

    /// Runs a job and stores its outcome.
    fn run(&self, leased: LeasedJob) -> impl Future<Output = Outcome> + Send + 'static {
        let (service, kind, policy) = (self.service, self.kind, self.policy);
        let span = tracing::info_span!(
            "job", otel.name = format!("job {kind}"), otel.kind = "consumer", job = %leased.id,
            attempt = leased.attempts,
        );
        trace::continue_from(&span, leased.traceparent.as_deref());
        let settlement = Settlement {
            service,
            kind,
            policy,
            max_outage: self.max_outage,
            pool: self.pool.clone(),
            clock: Arc::clone(self.queue.clock()),
        };
        let (work, piece) = (Arc::clone(&self.work), self.running.begin());
        async move {
            let this = Run {
                job: leased.id,
                created_at: leased.created_at,
                attempt: u32::try_from(leased.attempts).unwrap_or(u32::MAX),
            };
            let outcome = if this.attempt > policy.attempts {
                // The last attempt has no outcome: the job itself may crash its process.
                Err(Failure::Permanent(
                    "each attempt ended with its process".to_owned(),
                ))
            } else {
                run(work(this, leased.payload), policy.timeout).await
            };
            let outcome = settlement.settle(this, leased.wanted_at, outcome).await;
            drop(piece);
            outcome
        }
        .instrument(span)
    }

    fn note(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Done | Outcome::Failed => self.outages = 0,
            Outcome::Unknown => {}
            Outcome::Outage(met_at) => {
                self.outages = self.outages.saturating_add(1);
                let rest = doubling(FIRST_REST, self.outages).min(MAX_REST);
                self.rests_until = met_at + rest;
            }
        }
    }

    async fn measure(&self) {
        let counted = sqlx::query!(
            r#"SELECT
                (SELECT count(*) FROM (SELECT FROM jobs WHERE kind = $1 AND dead_at IS NULL LIMIT $2) AS counted)
                    AS "waiting!",
                (SELECT count(*) FROM (SELECT FROM jobs WHERE kind = $1 AND dead_at IS NOT NULL LIMIT $2) AS counted)
                    AS "dead!",
                (SELECT min(wanted_at) FROM jobs WHERE kind = $1 AND dead_at IS NULL) AS oldest"#,
            self.kind,
            MAX_COUNTED,
        )
        .fetch_one(&self.pool)
        .await;
        let Ok(counted) = counted else { return };
        let (service, kind) = (self.service, self.kind);
        let number = |count| u32::try_from(count).map_or(f64::from(u32::MAX), f64::from);
        let age = counted
            .oldest
            .and_then(|oldest| (self.queue.clock().now() - oldest).to_std().ok());
        let age = age.map_or(0.0, |age| age.as_secs_f64());
        metrics::gauge!("jobs_waiting", "service" => service, "kind" => kind)
            .set(number(counted.waiting));
        metrics::gauge!("jobs_dead", "service" => service, "kind" => kind)
            .set(number(counted.dead));
        metrics::gauge!("jobs_oldest_age_seconds", "service" => service, "kind" => kind).set(age);
    }
}

/// Runs a job with a timeout, in a separate task, so that a panic ends only the attempt.
async fn run(work: Working, timeout: Duration) -> Result<(), Failure> {
    let mut task = JoinSet::new();
    task.spawn(work.in_current_span());
    match tokio::time::timeout(timeout, task.join_next()).await {
        Ok(Some(Ok(outcome))) => outcome,
        Ok(Some(Err(error))) => Err(Failure::Retry(format!("the worker failed: {error}"))),
        Ok(None) => Err(Failure::Retry("the worker did not run".to_owned())),
        Err(_) => Err(Failure::Retry(format!("it took longer than {timeout:?}"))),
    }
}

/// Stores the outcomes of attempts.
struct Settlement {
    service: &'static str,
    kind: &'static str,
    policy: Policy,
    max_outage: TimeDelta,
    pool: PgPool,
    clock: SharedClock,
}

/// The new state of a job whose attempt failed.
struct Next {
    /// The number of counted attempts.
    attempts: i32,
    due_at: DateTime<Utc>,
    dead_at: Option<DateTime<Utc>>,
}

impl Settlement {
    async fn settle(
        &self,
        run: Run,
        wanted_at: DateTime<Utc>,
        outcome: Result<(), Failure>,
    ) -> Outcome {
        let (service, kind, job, attempt) = (self.service, self.kind, run.job, run.attempt);
        let now = self.clock.now();
        let next = Next {
            attempts: attempts(run),
            due_at: now,
            dead_at: None,
        };
        let (ended, name, written) = match outcome {
            Ok(()) => (Outcome::Done, "done", self.forget(run).await),
            Err(Failure::Outage(why)) if now - wanted_at < self.max_outage => {
                tracing::warn!(service, kind, %job, why, "jobs cannot run during an outage; they wait");
                // The attempt does not count. The job is queued behind other due jobs, so that it does not block them
                // if it causes the outage itself.
                let attempts = next.attempts - 1;
                let next = Next { attempts, ..next };
                let written = self.keep(run, &why, next).await;
                (Outcome::Outage(now), "outage", written)
            }
            Err(Failure::Retry(why)) if attempt < self.policy.attempts => {
                tracing::info!(service, kind, %job, attempt, why, "a job failed; it runs again");
                let due_at = now + self.policy.pause(attempt);
                let next = Next { due_at, ..next };
                (Outcome::Failed, "retry", self.keep(run, &why, next).await)
            }
            Err(Failure::Retry(why) | Failure::Permanent(why) | Failure::Outage(why)) => {
                // The reason may contain personal data: it is stored with the job and not logged.
                tracing::error!(service, kind, %job, attempt, "a job is dead; it is kept for an operator");
                let dead_at = Some(now);
                let next = Next { dead_at, ..next };
                (Outcome::Failed, "dead", self.keep(run, &why, next).await)
            }
        };
        metrics::counter!("job_attempts_total", "service" => service, "kind" => kind, "outcome" => name)
            .increment(1);
        match written {
            Ok(()) => ended,
            Err(error) => {
                tracing::warn!(service, kind, %job, %error, "storing a job's outcome failed");
                Outcome::Unknown
            }
        }
    }

    async fn forget(&self, run: Run) -> Result<(), sqlx::Error> {
        sqlx::query!("DELETE FROM jobs WHERE id = $1", run.job)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    async fn keep(&self, run: Run, why: &str, next: Next) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "UPDATE jobs SET attempts = $3, due_at = $4, dead_at = $5, last_error = $6
             WHERE id = $1 AND attempts = $2",
            run.job,
            attempts(run),
            next.attempts,
            next.due_at,
            next.dead_at,
            why,
        )
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}

/// The number of attempts stored in the row. If the row has another number, the job has been leased again.
fn attempts(run: Run) -> i32 {
    i32::try_from(run.attempt).unwrap_or(i32::MAX)
}
