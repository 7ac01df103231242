//! Publication on time, with a manual clock.

use chassis::{clock::Clock, error::Code, instant};
use chrono::TimeDelta;
use editorial_proto::v1::{ImportItem, Kind};
use testkit::until;

use crate::fixture::{Fixture, all, article};

/// An article that is published in an hour and unpublished an hour after that.
fn passing(fixture: &Fixture) -> ImportItem {
    let now = fixture.parts.clock.now();
    ImportItem {
        published_at: Some(instant::to_proto(now + TimeDelta::hours(1))),
        unpublished_at: Some(instant::to_proto(now + TimeDelta::hours(2))),
        ..article("Tomorrow", "news", 1)
    }
}

async fn count(fixture: &Fixture) -> i64 {
    let listed = fixture.list(all(Kind::Article)).await.expect("answers");
    listed.page.expect("a page").count
}

#[tokio::test]
async fn an_item_appears_and_goes_at_its_time_and_others_hear_of_it() {
    let fixture = Fixture::new().await;
    let item = passing(&fixture);
    fixture.import([item.clone()]).await;
    assert_eq!(
        fixture.names(all(Kind::Article)).await,
        Vec::<String>::new()
    );
    let missing = fixture
        .resolve("/news/tomorrow/")
        .await
        .expect_err("not yet");
    assert_eq!(missing.code, Code::NotFound);

    let published = testkit::bus::Recorder::on(
        fixture.parts.bus.as_ref(),
        "published",
        cityguide_proto::exchange::CATALOG,
        "#",
        chassis::bus::Durability::Durable,
    )
    .await;
    fixture.service.run().await;
    fixture.parts.clock.advance(TimeDelta::hours(1));
    until("it appears", async || {
        (count(&fixture).await == 1).then_some(())
    })
    .await;
    assert_eq!(fixture.names(all(Kind::Article)).await, ["Tomorrow"]);
    fixture.parts.clock.advance(TimeDelta::minutes(59));
    fixture
        .resolve("/news/tomorrow/")
        .await
        .expect("still there");
    fixture.parts.clock.advance(TimeDelta::minutes(1));
    until("it goes", async || {
        (count(&fixture).await == 0).then_some(())
    })
    .await;
    assert_eq!(
        fixture.names(all(Kind::Article)).await,
        Vec::<String>::new()
    );
    until("all three states are published", async || {
        (published.heard().len() == 3).then_some(())
    })
    .await;

    // A repeated import changes nothing: there is still one item, which is unpublished.
    let again = fixture.import([item]).await;
    assert_eq!(again.kinds[0].counts.expect("counts").unchanged, 1);
    assert_eq!(count(&fixture).await, 0);
}

#[tokio::test]
async fn an_item_can_be_taken_back_at_once() {
    let fixture = Fixture::with([article("Oops", "news", 1)]).await;
    let id = fixture.only(Kind::Article).await.id;
    let now = fixture.parts.clock.now();
    let gone = ImportItem {
        unpublished_at: Some(instant::to_proto(now)),
        ..article("Oops", "news", 1)
    };
    fixture.import([gone]).await;
    assert_eq!(count(&fixture).await, 0);
    let missing = fixture.get(Kind::Article, id, true).await;
    assert_eq!(missing.expect_err("gone").code, Code::NotFound);
    let last = fixture.published().await.pop().expect("an event");
    assert!(!last.is_available && last.version == 2);
}

#[tokio::test]
async fn an_import_beside_an_item_that_appears_waits_and_both_are_counted() {
    let fixture = Fixture::new().await;
    fixture.import([passing(&fixture)]).await;
    // Blocks the publication between its recount and its commit.
    let mut holder = fixture.parts.database.connection().await;
    sqlx::raw_sql(
        "BEGIN; INSERT INTO editorial.search_due (kind, id) SELECT 'item', id FROM editorial.items
         ON CONFLICT (kind, id) DO UPDATE SET turn = search_due.turn",
    )
    .execute(&mut holder)
    .await
    .expect("holds");
    fixture.service.run().await;
    fixture.parts.clock.advance(TimeDelta::hours(1));
    let wait = async |sessions: i64| {
        until("sessions wait", async || {
            let waiting = fixture.parts.database.number(WAITING).await;
            (waiting >= sessions).then_some(())
        })
        .await;
    };
    wait(1).await;
    let import = fixture.import([article("Beside", "news", 1)]);
    let release = async {
        wait(2).await;
        sqlx::raw_sql("ROLLBACK").execute(&mut holder).await
    };
    let (report, released) = tokio::join!(import, release);
    released.expect("released");
    assert!(report.applied, "{report:?}");
    until("both are counted", async || {
        (count(&fixture).await == 2).then_some(())
    })
    .await;
}

/// Transactions that wait for another transaction's locks.
const WAITING: &str = "SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'";
