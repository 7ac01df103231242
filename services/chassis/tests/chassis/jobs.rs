//! Durable jobs: committed jobs are done even if workers fail or processes are killed, and failed jobs are kept for an
//! operator.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use chassis::{
    clock::Clock,
    entropy::OsEntropy,
    lifecycle::Lifecycle,
    postgres::jobs::{DeadJobs, Failure, Job, JobQueue, Policy, Run, Runner, forget_dead},
};
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, PgPool};
use testkit::{
    parts::{TestParts, parts},
    until,
};
use uuid::Uuid;

/// A job that contains the worker's behaviour.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Task {
    name: String,
    act: Act,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Act {
    Succeed,
    Fail,
    FailForGood,
    Panic,
    Hang,
}

impl Job for Task {
    const KIND: &'static str = "task";
}

/// The state that all workers of a test share.
#[derive(Default)]
struct Ledger {
    runs: Mutex<Vec<(String, u32)>>,
    now: AtomicUsize,
    most: AtomicUsize,
    is_away: AtomicBool,
    /// Whether tasks wait before they succeed, so that they overlap.
    is_slow: AtomicBool,
}

impl Ledger {
    /// Returns the attempt numbers of a task's runs, in order.
    fn runs(&self, name: &str) -> Vec<u32> {
        let runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let of_task = runs.iter().filter(|(one, _)| one == name);
        of_task.map(|(_, attempt)| *attempt).collect()
    }
}

async fn do_task(ledger: Arc<Ledger>, run: Run, task: Task) -> Result<(), Failure> {
    let run = (task.name, run.attempt);
    ledger.runs.lock().expect("no panic").push(run);
    if ledger.is_away.load(Ordering::SeqCst) {
        return Err(Failure::Outage("nobody is there".to_owned()));
    }
    let now = ledger.now.fetch_add(1, Ordering::SeqCst) + 1;
    ledger.most.fetch_max(now, Ordering::SeqCst);
    if ledger.is_slow.load(Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    ledger.now.fetch_sub(1, Ordering::SeqCst);
    match task.act {
        Act::Succeed => Ok(()),
        Act::Fail => Err(Failure::Retry("it went wrong".to_owned())),
        Act::FailForGood => Err(Failure::Permanent("it cannot be".to_owned())),
        Act::Panic => panic!("a fault in the worker"),
        Act::Hang => std::future::pending().await,
    }
}

const POLICY: Policy = Policy {
    concurrency: 3,
    timeout: Duration::from_millis(300),
    attempts: 3,
    first_pause: TimeDelta::minutes(1),
    longest_pause: TimeDelta::minutes(90),
};

struct Fixture {
    parts: TestParts,
    pool: PgPool,
    queue: JobQueue,
    ledger: Arc<Ledger>,
    life: Lifecycle,
}

impl Fixture {
    async fn new() -> Self {
        let parts = parts().await;
        Self {
            pool: parts.database.schema("probe").await,
            queue: JobQueue::new(parts.clock.clone(), Arc::new(OsEntropy)),
            ledger: Arc::default(),
            life: Lifecycle::new(),
            parts,
        }
    }

    fn runner(&self) -> Runner {
        let ledger = Arc::clone(&self.ledger);
        let work = move |run, task| do_task(Arc::clone(&ledger), run, task);
        Runner::new("probe", self.pool.clone(), &self.queue, POLICY, work)
    }

    /// A process that runs tasks.
    fn process(&self) {
        self.runner().start(&self.life);
    }

    async fn append(&self, name: &str, act: Act) -> Uuid {
        let mut transaction = self.pool.begin().await.expect("begins");
        let task = Task {
            name: name.to_owned(),
            act,
        };
        let id = self.queue.append(&mut transaction, &task).await;
        self.queue.commit(transaction).await.expect("commits");
        id.expect("appended")
    }

    async fn number(&self, what: &str) -> i64 {
        let statement = format!("SELECT count(*) FROM jobs {what}");
        sqlx::query_scalar(AssertSqlSafe(statement))
            .fetch_one(&self.pool)
            .await
            .expect("counts")
    }

    async fn until_number(&self, what: &str, number: i64) {
        until(what, async || {
            (self.number(what).await == number).then_some(())
        })
        .await;
    }

    async fn dead(&self) -> Vec<(Uuid, i32, String)> {
        let dead = DeadJobs::default().list(&self.pool, 50).await;
        let dead = dead.expect("lists").into_iter();
        dead.map(|job| (job.id, job.attempts, job.last_error))
            .collect()
    }
}

#[tokio::test]
async fn a_committed_job_runs_once_in_one_of_many_processes_and_one_rolled_back_never_does() {
    let fixture = Fixture::new().await;
    let mut transaction = fixture.pool.begin().await.expect("begins");
    let never = Task {
        name: "never".to_owned(),
        act: Act::Succeed,
    };
    let appended = fixture.queue.append(&mut transaction, &never).await;
    appended.expect("appended");
    transaction.rollback().await.expect("rolled back");
    for _ in 0..3 {
        fixture.process();
    }
    for number in 0..30 {
        fixture
            .append(&format!("task {number}"), Act::Succeed)
            .await;
    }
    fixture.until_number("", 0).await;
    for number in 0..30 {
        assert_eq!(fixture.ledger.runs(&format!("task {number}")), [1]);
    }
    assert_eq!(fixture.ledger.runs("never"), [0; 0]);
}

#[tokio::test]
async fn no_more_jobs_run_at_a_time_than_the_policy_allows() {
    let fixture = Fixture::new().await;
    fixture.ledger.is_slow.store(true, Ordering::SeqCst);
    for number in 0..12 {
        fixture
            .append(&format!("task {number}"), Act::Succeed)
            .await;
    }
    fixture.process();
    fixture.until_number("", 0).await;
    assert_eq!(
        fixture.ledger.most.load(Ordering::SeqCst),
        POLICY.concurrency
    );
}

#[tokio::test]
async fn a_job_for_later_runs_when_its_time_has_come() {
    let fixture = Fixture::new().await;
    fixture.process();
    let mut transaction = fixture.pool.begin().await.expect("begins");
    let task = Task {
        name: "later".to_owned(),
        act: Act::Succeed,
    };
    let (queue, delay) = (&fixture.queue, Duration::from_mins(1));
    let appended = queue.append_for_later(&mut transaction, &task, delay).await;
    appended.expect("appended");
    fixture.queue.commit(transaction).await.expect("commits");
    fixture.parts.clock.advance(TimeDelta::milliseconds(59_999));
    fixture.append("now", Act::Succeed).await;
    fixture.until_number("", 1).await;
    assert_eq!(fixture.ledger.runs("later"), [0; 0]);
    fixture.parts.clock.advance(TimeDelta::milliseconds(1));
    fixture.until_number("", 0).await;
    assert_eq!(fixture.ledger.runs("later"), [1]);
}

#[tokio::test]
async fn a_job_that_fails_is_tried_after_growing_pauses_then_kept_and_holds_no_other_up() {
    let fixture = Fixture::new().await;
    fixture.process();
    let id = fixture.append("wrong", Act::Fail).await;
    for (attempt, pause) in [(1, 1), (2, 2)] {
        let due = format!(
            "WHERE attempts = {attempt} AND last_error = 'it went wrong'
                AND due_at = TIMESTAMPTZ '{}' + interval '{pause} minutes'",
            fixture.parts.clock.now().to_rfc3339()
        );
        fixture.until_number(&due, 1).await;
        fixture.append("other", Act::Succeed).await;
        fixture.until_number("", 1).await;
        fixture.parts.clock.advance(TimeDelta::minutes(pause));
    }
    fixture.until_number("WHERE dead_at IS NOT NULL", 1).await;
    assert_eq!(fixture.ledger.runs("wrong"), [1, 2, 3]);
    assert_eq!(fixture.dead().await, [(id, 3, "it went wrong".to_owned())]);
}

#[tokio::test]
async fn a_worker_that_panics_or_hangs_fails_its_own_attempt_and_no_other() {
    let fixture = Fixture::new().await;
    fixture.process();
    fixture.append("panic", Act::Panic).await;
    fixture.append("hang", Act::Hang).await;
    fixture.append("other", Act::Succeed).await;
    let failed = "WHERE attempts = 1 AND (last_error LIKE '%panicked%' OR last_error LIKE '%longer than 300ms%')";
    fixture.until_number(failed, 2).await;
    fixture.until_number("", 2).await;
    assert_eq!(fixture.ledger.runs("other"), [1]);
}

#[tokio::test]
async fn during_an_outage_jobs_wait_without_losing_attempts_and_one_shows_that_it_is_over() {
    let fixture = Fixture::new().await;
    fixture.ledger.is_away.store(true, Ordering::SeqCst);
    for number in 0..6 {
        fixture
            .append(&format!("task {number}"), Act::Succeed)
            .await;
    }
    fixture.process();
    let waiting = "WHERE attempts = 0 AND dead_at IS NULL";
    until("the outage is noticed", async || {
        let noticed = "WHERE last_error = 'nobody is there'";
        (fixture.number(noticed).await == 3 && fixture.number(waiting).await == 6).then_some(())
    })
    .await;
    // No attempt is counted, even after a long time; each poll takes a job.
    for look in 1..=5 {
        fixture.parts.clock.advance(TimeDelta::seconds(30));
        until("another look", async || {
            let runs = fixture.ledger.runs.lock().expect("no panic").len();
            (runs == 3 + look).then_some(())
        })
        .await;
        fixture.until_number(waiting, 6).await;
    }
    fixture.ledger.is_away.store(false, Ordering::SeqCst);
    fixture.parts.clock.advance(TimeDelta::seconds(30));
    fixture.until_number("", 0).await;
}

#[tokio::test]
async fn a_job_that_meets_outages_for_five_days_is_dead_and_a_replay_gives_it_five_more() {
    let fixture = Fixture::new().await;
    fixture.ledger.is_away.store(true, Ordering::SeqCst);
    let id = fixture.append("unlucky", Act::Succeed).await;
    fixture.process();
    let days = TimeDelta::days(5);
    for _ in 0..2 {
        fixture
            .until_number("WHERE last_error IS NOT NULL AND dead_at IS NULL", 1)
            .await;
        fixture.parts.clock.advance(days);
        fixture.until_number("WHERE dead_at IS NOT NULL", 1).await;
        let dead = fixture.dead().await.remove(0);
        assert_eq!((dead.0, dead.2.as_str()), (id, "nobody is there"));
        let now = fixture.parts.clock.now();
        let replayed = DeadJobs::default().replay(&fixture.pool, now).await;
        assert_eq!(replayed, Ok(1));
    }
    fixture.ledger.is_away.store(false, Ordering::SeqCst);
    until("it is done", async || {
        fixture.parts.clock.advance(TimeDelta::seconds(30));
        (fixture.number("").await == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn draining_ends_at_an_outage_and_runs_all_jobs_after_it() {
    let fixture = Fixture::new().await;
    fixture.ledger.is_away.store(true, Ordering::SeqCst);
    for name in ["one", "two", "three", "four"] {
        fixture.append(name, Act::Succeed).await;
    }
    let mut runner = fixture.runner();
    runner.drain().await;
    assert_eq!(fixture.number("").await, 4);
    fixture.ledger.is_away.store(false, Ordering::SeqCst);
    fixture.parts.clock.advance(TimeDelta::minutes(10));
    runner.drain().await;
    assert_eq!(fixture.number("").await, 0);
}

#[tokio::test]
async fn a_job_whose_process_died_runs_in_another_and_one_that_ends_processes_is_given_up() {
    let fixture = Fixture::new().await;
    let orphan = fixture.append("orphan", Act::Succeed).await;
    let poison = fixture.append("poison", Act::Succeed).await;
    // Changes the rows as if a process had been killed while it ran these jobs.
    for (id, attempts) in [(orphan, 1), (poison, 3)] {
        sqlx::query(
            "UPDATE jobs SET attempts = $2, due_at = created_at + interval '30 seconds' WHERE id = $1",
        )
        .bind(id)
        .bind(attempts)
        .execute(&fixture.pool)
        .await
        .expect("taken");
    }
    fixture.process();
    fixture.append("other", Act::Succeed).await;
    fixture.until_number("", 2).await;
    assert_eq!(fixture.ledger.runs("orphan"), [0; 0], "its lease lasts");
    fixture.parts.clock.advance(TimeDelta::seconds(30));
    fixture.until_number("WHERE dead_at IS NULL", 0).await;
    assert_eq!(fixture.ledger.runs("orphan"), [2]);
    assert_eq!(fixture.ledger.runs("poison"), [0; 0]);
    assert_eq!(fixture.dead().await[0].0, poison);
}

#[tokio::test]
async fn a_process_that_stops_finishes_its_jobs_and_takes_no_more() {
    let fixture = Fixture::new().await;
    fixture.ledger.is_slow.store(true, Ordering::SeqCst);
    fixture.process();
    for number in 0..50 {
        fixture
            .append(&format!("task {number}"), Act::Succeed)
            .await;
    }
    fixture.life.finish(Duration::from_secs(5)).await;
    assert_eq!(
        fixture.number("WHERE attempts > 0").await,
        0,
        "none is left half"
    );
    let runs = fixture.ledger.runs.lock().expect("no panic").len();
    let left = fixture.number("").await;
    assert_eq!(usize::try_from(left), Ok(50 - runs));
}

#[tokio::test]
async fn an_operator_lists_replays_and_deletes_dead_jobs_and_after_30_days_they_are_gone() {
    let fixture = Fixture::new().await;
    fixture.process();
    let ids = [
        fixture.append("one", Act::FailForGood).await,
        fixture.append("two", Act::FailForGood).await,
    ];
    fixture.until_number("WHERE dead_at IS NOT NULL", 2).await;
    let mut dead: Vec<_> = fixture.dead().await.into_iter().map(|job| job.0).collect();
    dead.sort();
    let mut both = ids.to_vec();
    both.sort();
    assert_eq!(dead, both);
    let (pool, now) = (&fixture.pool, fixture.parts.clock.now());
    let other = DeadJobs {
        kind: Some("mail"),
        id: None,
    };
    assert_eq!(other.list(pool, 50).await, Ok(Vec::new()));
    assert_eq!(other.replay(pool, now).await, Ok(0));
    assert_eq!(other.delete(pool).await, Ok(0));

    let first = DeadJobs {
        kind: None,
        id: Some(ids[0]),
    };
    assert_eq!(first.replay(pool, now).await, Ok(1));
    until("it has run and failed again", async || {
        (fixture.ledger.runs("one") == [1, 1]).then_some(())
    })
    .await;
    fixture.until_number("WHERE dead_at IS NOT NULL", 2).await;
    assert_eq!(first.delete(pool).await, Ok(1));
    fixture
        .parts
        .clock
        .advance(TimeDelta::days(30) - TimeDelta::milliseconds(1));
    assert_eq!(forget_dead(pool, fixture.parts.clock.now()).await, Ok(0));
    fixture.parts.clock.advance(TimeDelta::milliseconds(1));
    assert_eq!(forget_dead(pool, fixture.parts.clock.now()).await, Ok(1));
}

#[tokio::test]
async fn a_payload_that_no_longer_fits_its_kind_is_kept_and_named() {
    let fixture = Fixture::new().await;
    let id = fixture.append("old", Act::Succeed).await;
    sqlx::query(r#"UPDATE jobs SET payload = '{"name": "old"}'"#)
        .execute(&fixture.pool)
        .await
        .expect("as another release wrote it");
    fixture.process();
    fixture.until_number("WHERE dead_at IS NOT NULL", 1).await;
    let (dead, attempts, why) = fixture.dead().await.remove(0);
    assert_eq!((dead, attempts), (id, 1));
    assert!(why.contains("missing field `act`"), "{why}");
}
