//! The projection of places, from events or from calls to their owner.

use chassis::{
    bus::Message,
    entropy::{OsEntropy, uuid},
    error::Code,
};
use cityguide_proto::{exchange, key};
use testkit::{outbox::assert_drains, until};

use crate::fixture::{ADA, BOB, Fixture, create, page, summary};

/// The name and availability under which a reader's only favourite is listed.
async fn listed(fixture: &Fixture) -> (String, bool) {
    let list = fixture.list(ADA, page(10)).await.expect("answers");
    assert_eq!(list.bookmarks.len(), 1);
    (
        list.bookmarks[0].target_name.clone(),
        list.bookmarks[0].is_available,
    )
}

#[tokio::test]
async fn a_place_that_an_event_told_of_is_kept_though_places_is_away() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    let replica = fixture.without_owners().await;
    assert!(create(&replica, ADA, 1).await.expect("kept").created);
}

#[tokio::test]
async fn a_place_that_no_event_told_of_is_asked_for_once() {
    let fixture = Fixture::new().await;
    let ids = fixture.import(&["Pai"]).await;
    fixture.create(ADA, ids[0]).await.expect("kept");
    assert_eq!(listed(&fixture).await, ("Pai".to_owned(), true));
    // The projection contains the place.
    let replica = fixture.without_owners().await;
    create(&replica, BOB, ids[0]).await.expect("kept");
    // The late event still takes effect.
    fixture
        .hear(vec![summary(ids[0], "Pai Toronto", true, 1)])
        .await;
    assert_eq!(listed(&fixture).await, ("Pai Toronto".to_owned(), true));
}

#[tokio::test]
async fn what_places_tells_of_arrives_here() {
    let fixture = Fixture::new().await;
    let ids = fixture.import(&["Lena", "Pai"]).await;
    fixture.places.run().await;
    assert_drains(&fixture.parts.database, "places").await;
    let replica = fixture.without_owners().await;
    for id in ids {
        create(&replica, ADA, id).await.expect("kept");
    }
}

#[tokio::test]
async fn an_unknown_place_while_places_is_away_is_unavailable_and_changes_nothing() {
    let fixture = Fixture::new().await;
    let ids = fixture.import(&["Pai"]).await;
    let replica = fixture.without_owners().await;
    let refusal = create(&replica, ADA, ids[0])
        .await
        .expect_err("nobody to ask");
    assert_eq!(refusal.code, Code::Unavailable);
    assert_eq!(fixture.stamp(ADA).await, None);
    assert_eq!(fixture.published().await, []);
    // Once places is available again, the call succeeds.
    fixture.create(ADA, ids[0]).await.expect("kept");
}

#[tokio::test]
async fn of_several_events_the_newest_version_stays_whatever_their_order() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    fixture.create(ADA, 1).await.expect("kept");
    fixture.hear(vec![summary(1, "Third", false, 3)]).await;
    fixture.hear(vec![summary(1, "Second", true, 2)]).await;
    assert_eq!(listed(&fixture).await, ("Third".to_owned(), false));
    fixture.hear(vec![summary(1, "Third again", true, 3)]).await;
    assert_eq!(listed(&fixture).await, ("Third".to_owned(), false));
    fixture.hear(vec![summary(1, "Fourth", true, 4)]).await;
    assert_eq!(listed(&fixture).await, ("Fourth".to_owned(), true));
}

#[tokio::test]
async fn a_batch_that_holds_one_place_twice_keeps_its_newest() {
    let fixture = Fixture::knowing(&["Pai"]).await;
    fixture.create(ADA, 1).await.expect("kept");
    fixture
        .hear(vec![
            summary(1, "Third", true, 3),
            summary(1, "Second", true, 2),
        ])
        .await;
    assert_eq!(listed(&fixture).await, ("Third".to_owned(), true));
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_refused_rather_than_swallowed() {
    let fixture = Fixture::new().await;
    let message = Message {
        id: uuid(&OsEntropy),
        exchange: exchange::CATALOG.to_owned(),
        key: key::LISTINGS_CHANGED.to_owned(),
        payload: b"\xff\xff".as_slice().into(),
        traceparent: None,
    };
    assert_eq!(
        fixture
            .deliver(message)
            .await
            .expect_err("not handled")
            .code,
        Code::Invalid
    );
}

#[tokio::test]
async fn a_reader_who_keeps_a_place_while_its_event_arrives_gets_it_kept() {
    let fixture = Fixture::new().await;
    let ids = fixture.import(&["Pai"]).await;
    let (kept, ()) = tokio::join!(fixture.create(ADA, ids[0]), fixture.places.run());
    kept.expect("kept");
    assert_drains(&fixture.parts.database, "places").await;
    let version = "SELECT version FROM bookmarks.targets";
    until("the event's version stays", async || {
        (fixture.parts.database.number(version).await == 1).then_some(())
    })
    .await;
}
