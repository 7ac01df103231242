//! Events that were lost with a queue are replayed by their owner.

use chassis::{
    bus::Message,
    entropy::{OsEntropy, uuid},
    instant,
};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::{events::v1::ReplayRequest, exchange};
use prost::Message as _;
use testkit::until;

use crate::fixture::{ADA, BOB, Fixture, at};

fn replay_request(exchange: &str, since: Option<DateTime<Utc>>) -> Message {
    let request = ReplayRequest {
        since: since.map(instant::to_proto),
    };
    Message {
        id: uuid(&OsEntropy),
        exchange: exchange::REPLAY.to_owned(),
        key: exchange.to_owned(),
        payload: request.encode_to_vec().into(),
        traceparent: None,
    }
}

#[tokio::test]
async fn every_stamp_since_an_instant_is_replayed() {
    let fixture = Fixture::knowing(&["Pai", "Lena"]).await;
    let early = at(fixture.create(ADA, 1).await.expect("kept").stamp);
    fixture.parts.clock.advance(TimeDelta::hours(1));
    let late = at(fixture.create(BOB, 2).await.expect("kept").stamp);
    assert_eq!(fixture.published().await, [(ADA, early), (BOB, late)]);

    let request = replay_request(exchange::LAST_UPDATES, Some(late));
    fixture.deliver(request).await.expect("handled");
    assert_eq!(fixture.published().await[2..], [(BOB, late)]);
    let request = replay_request(exchange::LAST_UPDATES, None);
    fixture.deliver(request).await.expect("handled");
    assert_eq!(fixture.published().await[3..], [(ADA, early), (BOB, late)]);
}

#[tokio::test]
async fn places_whose_events_were_lost_are_known_after_a_replay() {
    let fixture = Fixture::new().await;
    let names: Vec<String> = (0..250)
        .map(|number| format!("Place {number:03}"))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    fixture.import(&names).await;
    sqlx::query("DELETE FROM places.outbox")
        .execute(&mut fixture.parts.database.connection().await)
        .await
        .expect("lost");
    fixture.places.run().await;
    let request = replay_request(exchange::CATALOG, None);
    fixture.deliver(request).await.expect("handled");
    until("all places are known", async || {
        let known = "SELECT count(*) FROM bookmarks.targets WHERE is_available AND version > 0";
        (fixture.parts.database.number(known).await == 250).then_some(())
    })
    .await;
}
