//! Publication at its time, by a clock set by hand.

use chassis::{clock::Clock, error::Code, instant};
use chrono::TimeDelta;
use cityguide_proto::editorial::v1::{ImportItem, Kind};
use testkit::until;

use crate::bench::{Bench, all, article};

/// An article that is published in an hour and unpublished an hour after that.
fn passing(bench: &Bench) -> ImportItem {
    let now = bench.parts.clock.now();
    ImportItem {
        published_at: Some(instant::to_proto(now + TimeDelta::hours(1))),
        unpublished_at: Some(instant::to_proto(now + TimeDelta::hours(2))),
        ..article("Tomorrow", "news", 1)
    }
}

async fn count(bench: &Bench) -> i64 {
    let listed = bench.list(all(Kind::Article)).await.expect("answers");
    listed.page.expect("a page").count
}

#[tokio::test]
async fn an_item_appears_and_goes_at_its_time_and_others_hear_of_it() {
    let bench = Bench::new().await;
    let item = passing(&bench);
    bench.import([item.clone()]).await;
    assert_eq!(bench.names(all(Kind::Article)).await, Vec::<String>::new());
    let missing = bench.resolve("/news/tomorrow/").await.expect_err("not yet");
    assert_eq!(missing.code, Code::NotFound);

    let told = testkit::bus::Recorder::on(
        bench.parts.bus.as_ref(),
        "told",
        cityguide_proto::exchange::CATALOG,
        "#",
        chassis::bus::Durability::Durable,
    )
    .await;
    bench.service.run().await;
    bench.parts.clock.advance(TimeDelta::hours(1));
    until("it appears", async || {
        (count(&bench).await == 1).then_some(())
    })
    .await;
    assert_eq!(bench.names(all(Kind::Article)).await, ["Tomorrow"]);
    bench.parts.clock.advance(TimeDelta::minutes(59));
    bench.resolve("/news/tomorrow/").await.expect("still there");
    bench.parts.clock.advance(TimeDelta::minutes(1));
    until("it goes", async || (count(&bench).await == 0).then_some(())).await;
    assert_eq!(bench.names(all(Kind::Article)).await, Vec::<String>::new());
    until("all three states are told", async || {
        (told.heard().len() == 3).then_some(())
    })
    .await;

    // Applied again, it is the same: one item, unpublished.
    let again = bench.import([item]).await;
    assert_eq!(again.kinds[0].counts.expect("counts").unchanged, 1);
    assert_eq!(count(&bench).await, 0);
}

#[tokio::test]
async fn an_item_can_be_taken_back_at_once() {
    let bench = Bench::with([article("Oops", "news", 1)]).await;
    let id = bench.only(Kind::Article).await.id;
    let now = bench.parts.clock.now();
    let gone = ImportItem {
        unpublished_at: Some(instant::to_proto(now)),
        ..article("Oops", "news", 1)
    };
    bench.import([gone]).await;
    assert_eq!(count(&bench).await, 0);
    let missing = bench.get(Kind::Article, id, true).await;
    assert_eq!(missing.expect_err("gone").code, Code::NotFound);
    let last = bench.told().await.pop().expect("told");
    assert!(!last.is_available && last.version == 2);
}

#[tokio::test]
async fn an_import_beside_an_item_that_appears_waits_and_both_are_counted() {
    let bench = Bench::new().await;
    bench.import([passing(&bench)]).await;
    // Keeps the publication from ending once it has counted.
    let mut holder = bench.parts.database.connection().await;
    sqlx::raw_sql(
        "BEGIN; INSERT INTO editorial.search_due (kind, id) SELECT 'item', id FROM editorial.items
         ON CONFLICT (kind, id) DO UPDATE SET turn = search_due.turn",
    )
    .execute(&mut holder)
    .await
    .expect("holds");
    bench.service.run().await;
    bench.parts.clock.advance(TimeDelta::hours(1));
    let wait = async |sessions: i64| {
        until("sessions wait", async || {
            let waiting = bench.parts.database.number(WAITING).await;
            (waiting >= sessions).then_some(())
        })
        .await;
    };
    wait(1).await;
    let import = bench.import([article("Beside", "news", 1)]);
    let release = async {
        wait(2).await;
        sqlx::raw_sql("ROLLBACK").execute(&mut holder).await
    };
    let (report, released) = tokio::join!(import, release);
    released.expect("released");
    assert!(report.applied, "{report:?}");
    until("both are counted", async || {
        (count(&bench).await == 2).then_some(())
    })
    .await;
}

/// Transactions that wait for another's.
const WAITING: &str = "SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'";
