//! Idempotency keys: repeats have a single effect and the same response.

use chassis::{
    clock::Clock,
    error::{Code, Fault},
    postgres::{self, Attempt, forget_keys},
};
use chrono::TimeDelta;
use cityguide_proto::intake::v1::Finish;
use prost_types::Timestamp;
use sqlx::PgPool;
use testkit::parts::{TestParts, parts};

const REQUEST: Finish = Finish {
    dry_run: true,
    all_or_nothing: false,
    refuse_at_most: None,
};
const OTHER: Finish = Finish {
    dry_run: true,
    all_or_nothing: true,
    refuse_at_most: None,
};

/// Executes a call. Its effect is a row, and its response is the number of rows.
async fn call(
    pool: &PgPool,
    now: chrono::DateTime<chrono::Utc>,
    attempt: &Attempt,
) -> Result<i64, Fault> {
    let mut transaction = pool.begin().await?;
    if let Some(answer) = attempt.begin::<Timestamp>(&mut transaction, now).await? {
        return Ok(answer.seconds);
    }
    sqlx::query("INSERT INTO effects DEFAULT VALUES")
        .execute(&mut *transaction)
        .await?;
    let seconds = sqlx::query_scalar("SELECT count(*) FROM effects")
        .fetch_one(&mut *transaction)
        .await?;
    let answer = Timestamp { seconds, nanos: 0 };
    attempt.answered(&mut transaction, &answer).await?;
    transaction.commit().await?;
    Ok(seconds)
}

async fn fixture() -> (TestParts, PgPool) {
    let parts = parts().await;
    let pool = parts.database.schema("probe").await;
    sqlx::query("CREATE TABLE effects (id bigint GENERATED ALWAYS AS IDENTITY)")
        .execute(&pool)
        .await
        .expect("created");
    (parts, pool)
}

#[tokio::test]
async fn a_repeat_is_answered_as_the_first_was_and_changes_nothing() {
    let (parts, pool) = fixture().await;
    let now = parts.clock.now();
    let keyed = |name| Attempt::new(Some(name), &REQUEST);
    assert_eq!(call(&pool, now, &keyed("a")).await, Ok(1));
    assert_eq!(call(&pool, now, &keyed("b")).await, Ok(2));
    assert_eq!(call(&pool, now, &keyed("a")).await, Ok(1));
    let other = call(&pool, now, &Attempt::new(Some("a"), &OTHER)).await;
    assert_eq!(other.expect_err("another request").code, Code::Conflict);
    // Without a key, each call is executed.
    for (name, count) in [(None, 3), (Some(""), 4), (None, 5)] {
        assert_eq!(
            call(&pool, now, &Attempt::new(name, &REQUEST)).await,
            Ok(count)
        );
    }
}

#[tokio::test]
async fn a_key_is_remembered_for_24_hours() {
    let (parts, pool) = fixture().await;
    let attempt = Attempt::new(Some("a"), &REQUEST);
    assert_eq!(call(&pool, parts.clock.now(), &attempt).await, Ok(1));
    parts
        .clock
        .advance(TimeDelta::hours(24) - TimeDelta::milliseconds(1));
    assert_eq!(forget_keys(&pool, parts.clock.now()).await, Ok(0));
    assert_eq!(call(&pool, parts.clock.now(), &attempt).await, Ok(1));
    parts.clock.advance(TimeDelta::milliseconds(1));
    // An expired attempt is executed again, whether or not it has been deleted yet, and is then stored again.
    let later = Attempt::new(Some("a"), &OTHER);
    assert_eq!(call(&pool, parts.clock.now(), &later).await, Ok(2));
    assert_eq!(call(&pool, parts.clock.now(), &later).await, Ok(2));
    parts.clock.advance(TimeDelta::hours(24));
    assert_eq!(forget_keys(&pool, parts.clock.now()).await, Ok(1));
}

#[tokio::test]
async fn a_call_that_is_rolled_back_leaves_its_key_free() {
    let (parts, pool) = fixture().await;
    let attempt = Attempt::new(Some("a"), &REQUEST);
    let mut refused = pool.begin().await.expect("begins");
    let first = attempt
        .begin::<Timestamp>(&mut refused, parts.clock.now())
        .await;
    assert_eq!(first, Ok(None));
    refused.rollback().await.expect("rolled back");
    let other = Attempt::new(Some("a"), &OTHER);
    assert_eq!(call(&pool, parts.clock.now(), &other).await, Ok(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_20_parallel_calls_one_is_carried_out_and_all_hear_of_it() {
    let (parts, pool) = fixture().await;
    let now = parts.clock.now();
    let calls = (0..20).map(|_| {
        let pool = pool.clone();
        let attempt = Attempt::new(Some("a"), &REQUEST);
        tokio::spawn(async move { call(&pool, now, &attempt).await })
    });
    for answer in futures::future::join_all(calls).await {
        assert_eq!(answer.expect("ran"), Ok(1));
    }
    postgres::check(&pool).await.expect("well");
}
