//! Pools: a statement ends with its call, and calls do not wait for background work.

use std::time::Duration;

use chassis::{
    error::Fault,
    postgres::{self, Pools, Settings},
};
use sqlx::{AssertSqlSafe, PgPool};
use testkit::database::TestDatabase;

/// The longest call of these tests.
const CALL: Duration = Duration::from_millis(400);

async fn pools(set: impl FnOnce(&mut Settings)) -> (TestDatabase, Pools) {
    let database = TestDatabase::create().await;
    database.schema("probe").await.close().await;
    let mut settings = database.settings();
    set(&mut settings);
    let pools = Pools::open(&settings, "probe", CALL).await;
    (database, pools.expect("connects"))
}

async fn run(pool: &PgPool, statement: &str) -> Result<(), sqlx::Error> {
    let statement = AssertSqlSafe(statement.to_owned());
    sqlx::query(statement).execute(pool).await.map(drop)
}

fn is_outage(outcome: Result<(), sqlx::Error>) -> bool {
    let fault = Fault::from(outcome.expect_err("it takes too long"));
    fault.code.is_outage()
}

#[tokio::test]
async fn a_statement_takes_no_longer_than_a_call_and_one_of_the_background_may() {
    let (_database, pools) = pools(|_| {}).await;
    assert!(is_outage(run(&pools.calls, "SELECT pg_sleep(20)").await));
    let slow = run(&pools.background, "SELECT pg_sleep(0.8)").await;
    slow.expect("it has the time");
}

#[tokio::test]
async fn a_call_that_waits_for_a_lock_gives_up_before_its_caller_does() {
    let (_database, pools) = pools(|_| {}).await;
    run(&pools.background, "CREATE TABLE thing (id int)")
        .await
        .expect("executes");
    let mut import = pools.background.begin().await.expect("begins");
    sqlx::query("LOCK TABLE thing")
        .execute(&mut *import)
        .await
        .expect("locks");
    let refused = run(&pools.calls, "INSERT INTO thing VALUES (1)").await;
    let error = refused.expect_err("it is locked");
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    assert_eq!(code.as_deref(), Some("55P03"), "{error}");
}

#[tokio::test]
async fn a_busy_background_keeps_no_call_waiting() {
    let (_database, pools) = pools(|settings| settings.background_connections = 3).await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(pools.background.acquire().await.expect("connects"));
    }
    assert!(pools.background.try_acquire().is_none());
    postgres::check(&pools.calls).await.expect("answers");
}

#[tokio::test]
async fn a_server_without_a_free_connection_is_an_outage_within_the_wait() {
    let (database, _pools) = pools(|_| {}).await;
    let settings = Settings {
        acquire_timeout_seconds: 1,
        ..database.settings_of_role("limited").await
    };
    let role = settings.url.split(['/', ':']).nth(3).expect("a role");
    let limit = format!("ALTER ROLE {role} CONNECTION LIMIT 1");
    let mut owner = database.connection().await;
    let done = sqlx::query(AssertSqlSafe(limit)).execute(&mut owner).await;
    done.expect("executes");
    let pools = Pools::open(&settings, "probe", CALL).await.expect("one");
    let _only = pools.calls.acquire().await.expect("connects");
    assert!(is_outage(run(&pools.calls, "SELECT 1").await));
}
