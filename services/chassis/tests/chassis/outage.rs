//! A statement that fails because of another statement's locks may succeed later, so the error is an outage and not a
//! defect.

use chassis::error::{Code, Fault};
use sqlx::PgConnection;
use testkit::{parts::parts, until};

async fn lock(connection: &mut PgConnection, lock: i64) -> Result<(), Fault> {
    let statement = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(lock);
    statement.execute(connection).await?;
    Ok(())
}

#[tokio::test]
async fn a_lock_that_is_not_free_in_time_is_an_outage() {
    let pool = parts().await.database.schema("probe").await;
    let mut first = pool.begin().await.expect("begins");
    lock(&mut first, 1).await.expect("free");
    let mut second = pool.begin().await.expect("begins");
    let soon = sqlx::query("SET LOCAL lock_timeout = '50ms'");
    soon.execute(&mut *second).await.expect("sets");
    let refused = lock(&mut second, 1).await.expect_err("taken");
    assert_eq!(refused.code, Code::Unavailable, "{refused}");
}

#[tokio::test]
async fn a_deadlock_is_an_outage_for_the_one_that_gives_way() {
    let pool = parts().await.database.schema("probe").await;
    let mut first = pool.begin().await.expect("begins");
    let mut second = pool.begin().await.expect("begins");
    lock(&mut first, 1).await.expect("free");
    lock(&mut second, 2).await.expect("free");
    let waits = tokio::spawn(async move { lock(&mut first, 2).await });
    until("the first waits", async || {
        let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory' \
                       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        let waiting: i64 = sqlx::query_scalar(waiting).fetch_one(&pool).await.expect("counts");
        (waiting == 1).then_some(())
    })
    .await;
    let second_waits = lock(&mut second, 1).await;
    drop(second);
    // PostgreSQL chooses the statement that fails.
    let outcomes = [waits.await.expect("runs"), second_waits];
    let faults: Vec<_> = outcomes.into_iter().filter_map(Result::err).collect();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].code, Code::Unavailable, "{}", faults[0]);
}
