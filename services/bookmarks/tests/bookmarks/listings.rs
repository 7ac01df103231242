//! The projection of places: from their events, or by asking.

use chassis::{
    bus::Message,
    entropy::{OsEntropy, uuid},
    error::Code,
};
use cityguide_proto::{exchange, key};
use testkit::{outbox::assert_drains, until};

use crate::bench::{ADA, BOB, Bench, create, page, summary};

/// The name and availability under which a reader's only favourite is listed.
async fn listed(bench: &Bench) -> (String, bool) {
    let list = bench.list(ADA, page(10)).await.expect("answers");
    assert_eq!(list.bookmarks.len(), 1);
    (
        list.bookmarks[0].target_name.clone(),
        list.bookmarks[0].is_available,
    )
}

#[tokio::test]
async fn a_place_that_an_event_told_of_is_kept_though_places_is_away() {
    let bench = Bench::knowing(&["Pai"]).await;
    let replica = bench.without_owners().await;
    assert!(create(&replica, ADA, 1).await.expect("kept").created);
}

#[tokio::test]
async fn a_place_that_no_event_told_of_is_asked_for_once() {
    let bench = Bench::new().await;
    let ids = bench.import(&["Pai"]).await;
    bench.create(ADA, ids[0]).await.expect("kept");
    assert_eq!(listed(&bench).await, ("Pai".to_owned(), true));
    // Now it is known.
    let replica = bench.without_owners().await;
    create(&replica, BOB, ids[0]).await.expect("kept");
    // The late event takes effect all the same.
    bench
        .hear(vec![summary(ids[0], "Pai Toronto", true, 1)])
        .await;
    assert_eq!(listed(&bench).await, ("Pai Toronto".to_owned(), true));
}

#[tokio::test]
async fn what_places_tells_of_arrives_here() {
    let bench = Bench::new().await;
    let ids = bench.import(&["Lena", "Pai"]).await;
    bench.places.run().await;
    assert_drains(&bench.parts.database, "places").await;
    let replica = bench.without_owners().await;
    for id in ids {
        create(&replica, ADA, id).await.expect("kept");
    }
}

#[tokio::test]
async fn an_unknown_place_while_places_is_away_is_unavailable_and_changes_nothing() {
    let bench = Bench::new().await;
    let ids = bench.import(&["Pai"]).await;
    let replica = bench.without_owners().await;
    let refusal = create(&replica, ADA, ids[0])
        .await
        .expect_err("nobody to ask");
    assert_eq!(refusal.code, Code::Unavailable);
    assert_eq!(bench.stamp(ADA).await, None);
    assert_eq!(bench.told().await, []);
    // With places back it works.
    bench.create(ADA, ids[0]).await.expect("kept");
}

#[tokio::test]
async fn of_several_events_the_newest_version_stays_whatever_their_order() {
    let bench = Bench::knowing(&["Pai"]).await;
    bench.create(ADA, 1).await.expect("kept");
    bench.hear(vec![summary(1, "Third", false, 3)]).await;
    bench.hear(vec![summary(1, "Second", true, 2)]).await;
    assert_eq!(listed(&bench).await, ("Third".to_owned(), false));
    bench.hear(vec![summary(1, "Third again", true, 3)]).await;
    assert_eq!(listed(&bench).await, ("Third".to_owned(), false));
    bench.hear(vec![summary(1, "Fourth", true, 4)]).await;
    assert_eq!(listed(&bench).await, ("Fourth".to_owned(), true));
}

#[tokio::test]
async fn a_batch_that_holds_one_place_twice_keeps_its_newest() {
    let bench = Bench::knowing(&["Pai"]).await;
    bench.create(ADA, 1).await.expect("kept");
    bench
        .hear(vec![
            summary(1, "Third", true, 3),
            summary(1, "Second", true, 2),
        ])
        .await;
    assert_eq!(listed(&bench).await, ("Third".to_owned(), true));
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_refused_rather_than_swallowed() {
    let bench = Bench::new().await;
    let message = Message {
        id: uuid(&OsEntropy),
        exchange: exchange::CATALOG.to_owned(),
        key: key::LISTINGS_CHANGED.to_owned(),
        payload: b"\xff\xff".as_slice().into(),
        traceparent: None,
    };
    assert_eq!(
        bench.deliver(message).await.expect_err("not handled").code,
        Code::Invalid
    );
}

#[tokio::test]
async fn a_reader_who_keeps_a_place_while_its_event_arrives_gets_it_kept() {
    let bench = Bench::new().await;
    let ids = bench.import(&["Pai"]).await;
    let (kept, ()) = tokio::join!(bench.create(ADA, ids[0]), bench.places.run());
    kept.expect("kept");
    assert_drains(&bench.parts.database, "places").await;
    let version = "SELECT version FROM bookmarks.targets";
    until("the event's version stays", async || {
        (bench.parts.database.number(version).await == 1).then_some(())
    })
    .await;
}
