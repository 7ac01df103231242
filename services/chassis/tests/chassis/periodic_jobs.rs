//! Periodic jobs do not wait for each other's connections, and each job runs in only one process at a time.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use chassis::{
    lifecycle::Lifecycle,
    postgres::{self, periodic_jobs::PeriodicJobs},
};
use testkit::{database::TestDatabase, until};

const PERIOD: Duration = Duration::from_millis(5);
const JOBS: [&str; 4] = ["one", "two", "three", "four"];

#[tokio::test]
async fn more_jobs_than_connections_all_run() {
    let database = TestDatabase::create().await;
    database.schema("probe").await.close().await;
    let settings = postgres::Settings {
        max_connections: 2,
        ..database.settings()
    };
    let pool = postgres::connect(&settings, "probe")
        .await
        .expect("connects");
    let (life, jobs) = (Lifecycle::new(), PeriodicJobs::new(pool.clone()));
    let runs = Arc::new(JOBS.map(|_| AtomicUsize::new(0)));
    for (at, name) in JOBS.into_iter().enumerate() {
        let (pool, runs) = (pool.clone(), Arc::clone(&runs));
        jobs.every(&life, name, PERIOD, &(), move |(): &()| {
            let (pool, runs) = (pool.clone(), Arc::clone(&runs));
            async move {
                postgres::check(&pool).await?;
                runs[at].fetch_add(1, Ordering::Relaxed);
                Ok(1)
            }
        });
    }
    until("every job has run twice", async || {
        let all = runs.iter().all(|run| run.load(Ordering::Relaxed) >= 2);
        all.then_some(())
    })
    .await;
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_job_runs_in_one_process_at_a_time() {
    let database = TestDatabase::create().await;
    let pool = database.schema("probe").await;
    let life = Lifecycle::new();
    let (running, runs) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for _process in 0..2 {
        let (running, runs) = (Arc::clone(&running), Arc::clone(&runs));
        PeriodicJobs::new(pool.clone()).every(&life, "one", PERIOD, &(), move |(): &()| {
            let (running, runs) = (Arc::clone(&running), Arc::clone(&runs));
            async move {
                assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0, "it runs twice");
                tokio::time::sleep(PERIOD).await;
                running.fetch_sub(1, Ordering::SeqCst);
                runs.fetch_add(1, Ordering::Relaxed);
                Ok(1)
            }
        });
    }
    until("it has run ten times", async || {
        (runs.load(Ordering::Relaxed) >= 10).then_some(())
    })
    .await;
    life.finish(Duration::from_secs(5)).await;
}

#[tokio::test]
async fn a_run_that_does_not_end_holds_no_stop_up() {
    let database = TestDatabase::create().await;
    let pool = database.schema("probe").await;
    let (life, begun) = (Lifecycle::new(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&begun);
    PeriodicJobs::new(pool.clone()).every(&life, "endless", PERIOD, &(), move |(): &()| {
        counted.fetch_add(1, Ordering::SeqCst);
        std::future::pending()
    });
    until("it runs", async || {
        (begun.load(Ordering::SeqCst) > 0).then_some(())
    })
    .await;
    let (grace, asked) = (Duration::from_mins(1), Instant::now());
    life.finish(grace).await;
    assert!(asked.elapsed() < grace / 2, "{:?}", asked.elapsed());
    assert_eq!(begun.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_job_that_runs_often_keeps_one_connection_and_goes_on_after_it_was_cut() {
    let database = TestDatabase::create().await;
    let pool = database.schema("probe").await;
    let (life, holders) = (Lifecycle::new(), Arc::new(Mutex::new(Vec::new())));
    let (noted, asking) = (Arc::clone(&holders), pool.clone());
    PeriodicJobs::new(pool.clone()).every(&life, "often", PERIOD, &(), move |(): &()| {
        let (noted, pool) = (Arc::clone(&noted), asking.clone());
        async move {
            let holder: i32 = sqlx::query_scalar(HOLDER).fetch_one(&pool).await?;
            noted.lock().expect("no panic").push(holder);
            Ok(1)
        }
    });
    let runs = async |wanted: usize| {
        until("it has run", async || {
            let holders = holders.lock().expect("no panic");
            (holders.len() >= wanted).then(|| holders.clone())
        })
        .await
    };
    let first = runs(5).await;
    assert!(first.iter().all(|holder| *holder == first[0]), "{first:?}");
    sqlx::query("SELECT pg_terminate_backend($1)")
        .bind(first[0])
        .execute(&pool)
        .await
        .expect("cut");
    let count = holders.lock().expect("no panic").len();
    let then = runs(count + 5).await;
    let last = then.last().expect("runs");
    assert_ne!(*last, first[0]);
    let since = then.iter().filter(|holder| *holder == last).count();
    assert!(since >= 3, "{then:?}");
    life.finish(Duration::from_secs(5)).await;
}

/// Selects the session that holds the running job's lock.
const HOLDER: &str = "SELECT pid FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
