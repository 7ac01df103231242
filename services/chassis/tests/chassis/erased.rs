//! Nothing is written for a reader whose data has been erased.

use chassis::{
    error::{Code, Fault},
    postgres::erased,
};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgExecutor, PgPool};
use testkit::{database::TestDatabase, until};

const ADA: i64 = 1;
const BOB: i64 = 2;

/// A write for a reader, to a table that refuses erased readers.
async fn write(connection: impl PgExecutor<'_>, reader: i64, kind: &str) -> Result<(), Fault> {
    let written =
        sqlx::query("INSERT INTO stamps (profile_id, kind, at, count) VALUES ($1, $2, now(), 1)");
    written.bind(reader).bind(kind).execute(connection).await?;
    Ok(())
}

async fn rows(pool: &PgPool, reader: i64) -> i64 {
    let rows = sqlx::query_scalar("SELECT count(*) FROM stamps WHERE profile_id = $1");
    rows.bind(reader).fetch_one(pool).await.expect("counts")
}

/// Waits until a connection waits for the reader's lock.
async fn one_waits(database: &TestDatabase) {
    until("a connection waits", async || {
        let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
        (database.number(waiting).await == 1).then_some(())
    })
    .await;
}

fn day(number: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(number)
}

#[tokio::test]
async fn an_erasure_waits_for_writes_in_progress_and_later_ones_are_refused() {
    let database = TestDatabase::create().await;
    let pool = database.schema("probe").await;
    let mut writing = pool.begin().await.expect("begins");
    write(&mut *writing, ADA, "favourites")
        .await
        .expect("writes");
    let erasing = tokio::spawn({
        let pool = pool.clone();
        async move { erased::begin(&pool, ADA, day(0)).await }
    });
    one_waits(&database).await;
    assert!(!erasing.is_finished());
    // Meanwhile, rows for other readers can be written.
    write(&pool, BOB, "favourites").await.expect("writes");
    writing.commit().await.expect("commits");
    erasing.await.expect("no panic").expect("begins");

    assert_eq!(
        rows(&pool, ADA).await,
        1,
        "the erasure finds what was written"
    );
    let refused = write(&pool, ADA, "todos").await.expect_err("erased");
    assert_eq!(refused.code, Code::NotAuthenticated);
    write(&pool, BOB, "todos").await.expect("writes");
    assert_eq!((rows(&pool, ADA).await, rows(&pool, BOB).await), (1, 2));
}

#[tokio::test]
async fn a_write_that_waits_for_an_erasure_is_refused() {
    let database = TestDatabase::create().await;
    let pool = database.schema("probe").await;
    let mut erasing = pool.begin().await.expect("begins");
    let marked = erased::refuse_writes(&mut erasing, ADA, day(0)).await;
    marked.expect("marks");
    let writing = tokio::spawn({
        let pool = pool.clone();
        async move { write(&pool, ADA, "favourites").await }
    });
    one_waits(&database).await;
    erasing.commit().await.expect("commits");
    let refused = writing.await.expect("no panic").expect_err("erased");
    assert_eq!(refused.code, Code::NotAuthenticated);
    assert_eq!(rows(&pool, ADA).await, 0);
}

#[tokio::test]
async fn an_erased_reader_is_forgotten_when_nothing_can_be_retried() {
    let database = TestDatabase::create().await;
    let pool = database.schema("probe").await;
    erased::begin(&pool, ADA, day(0)).await.expect("begins");
    // A retry of the erasure.
    erased::begin(&pool, ADA, day(1)).await.expect("begins");
    assert_eq!(erased::forget(&pool, day(29)).await.expect("purges"), 0);
    assert_eq!(erased::forget(&pool, day(30)).await.expect("purges"), 1);
}
