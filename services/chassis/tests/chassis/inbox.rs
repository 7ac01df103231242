//! The inbox: an event takes effect once, even if it is delivered repeatedly and to several processes.

use chassis::{
    clock::Clock,
    entropy::{OsEntropy, uuid},
    postgres::{first_time, forget_handled},
};
use chrono::TimeDelta;
use testkit::parts::parts;

#[tokio::test]
async fn an_event_comes_for_the_first_time_once_in_each_queue() {
    let parts = parts().await;
    let pool = parts.database.schema("probe").await;
    let (now, event) = (parts.clock.now(), uuid(&OsEntropy));
    let mut connection = pool.acquire().await.expect("connects");
    assert!(
        first_time(&mut connection, "a", event, now)
            .await
            .expect("answers")
    );
    assert!(
        !first_time(&mut connection, "a", event, now)
            .await
            .expect("answers")
    );
    assert!(
        first_time(&mut connection, "b", event, now)
            .await
            .expect("answers")
    );
}

#[tokio::test]
async fn an_effect_that_is_rolled_back_has_not_been() {
    let parts = parts().await;
    let pool = parts.database.schema("probe").await;
    let (now, event) = (parts.clock.now(), uuid(&OsEntropy));
    let mut undone = pool.begin().await.expect("begins");
    assert!(
        first_time(&mut undone, "a", event, now)
            .await
            .expect("answers")
    );
    undone.rollback().await.expect("rolls back");
    let mut connection = pool.acquire().await.expect("connects");
    assert!(
        first_time(&mut connection, "a", event, now)
            .await
            .expect("answers")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_20_parallel_deliveries_one_is_the_first() {
    let parts = parts().await;
    let pool = parts.database.schema("probe").await;
    let (now, event) = (parts.clock.now(), uuid(&OsEntropy));
    let tries = (0..20).map(|_| {
        let pool = pool.clone();
        tokio::spawn(async move {
            let mut transaction = pool.begin().await.expect("begins");
            let first = first_time(&mut transaction, "a", event, now)
                .await
                .expect("answers");
            transaction.commit().await.expect("commits");
            first
        })
    });
    let firsts = futures::future::join_all(tries).await;
    assert_eq!(
        firsts
            .into_iter()
            .filter(|first| *first.as_ref().expect("ran"))
            .count(),
        1
    );
}

#[tokio::test]
async fn what_was_handled_over_a_week_ago_is_forgotten() {
    let parts = parts().await;
    let pool = parts.database.schema("probe").await;
    let mut connection = pool.acquire().await.expect("connects");
    let long_ago = parts.clock.now();
    let (old, recent) = (uuid(&OsEntropy), uuid(&OsEntropy));
    first_time(&mut connection, "a", old, long_ago)
        .await
        .expect("answers");
    parts.clock.advance(TimeDelta::days(7));
    first_time(&mut connection, "a", recent, parts.clock.now())
        .await
        .expect("answers");
    assert_eq!(
        forget_handled(&pool, parts.clock.now())
            .await
            .expect("answers"),
        0
    );
    parts.clock.advance(TimeDelta::milliseconds(1));
    assert_eq!(
        forget_handled(&pool, parts.clock.now())
            .await
            .expect("answers"),
        1
    );
    assert!(
        !first_time(&mut connection, "a", recent, parts.clock.now())
            .await
            .expect("answers")
    );
}

#[tokio::test]
async fn however_many_are_old_each_is_forgotten_and_no_recent_one() {
    let parts = parts().await;
    let pool = parts.database.schema("probe").await;
    let now = parts.clock.now();
    let fill = "INSERT INTO inbox (queue, event_id, handled_at) \
                SELECT 'a', gen_random_uuid(), $1 FROM generate_series(1, $2)";
    for (at, count) in [(now - TimeDelta::days(8), 12_000), (now, 3)] {
        let filling = sqlx::query(fill).bind(at).bind(count);
        filling.execute(&pool).await.expect("fills");
    }
    assert_eq!(forget_handled(&pool, now).await.expect("answers"), 12_000);
    let left = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM inbox");
    assert_eq!(left.fetch_one(&pool).await.expect("counts"), 3);
}
