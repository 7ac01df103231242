//! The copy of each reader's last updates, updated by events from the bus.

use std::collections::HashMap;

use chassis::{
    bus::{Bus, Message},
    clock::Clock,
    entropy::{OsEntropy, uuid},
    error::{Code, Fault},
    instant,
};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::{events::v1::LastUpdated, exchange, key};
use identity_proto::v1::GetProfileRequest;
use prost::Message as _;
use testkit::calls;

use crate::fixture::Fixture;

fn event(profile_id: i64, kind: &str, at: DateTime<Utc>) -> Message {
    let event = LastUpdated {
        profile_id,
        kind: kind.to_owned(),
        at: Some(instant::to_proto(at)),
    };
    message(event.encode_to_vec())
}

fn message(payload: Vec<u8>) -> Message {
    Message {
        id: uuid(&OsEntropy),
        exchange: exchange::LAST_UPDATES.to_owned(),
        key: key::LAST_UPDATED.to_owned(),
        payload: payload.into(),
        traceparent: None,
    }
}

async fn last_updates(fixture: &Fixture, profile_id: i64) -> HashMap<String, DateTime<Utc>> {
    let request = calls::reader(profile_id, GetProfileRequest {});
    let profile = fixture
        .client
        .clone()
        .get_profile(request)
        .await
        .expect("answers")
        .into_inner();
    profile
        .last_updates
        .iter()
        .map(|(kind, at)| (kind.clone(), instant::from_proto(at).expect("an instant")))
        .collect()
}

#[tokio::test]
async fn the_greatest_instant_of_each_kind_stays_whatever_the_order_and_the_repeats() {
    let fixture = Fixture::new().await;
    let bus = fixture.parts.bus.as_ref();
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers")
        .profile_id;
    let bob = fixture
        .register("bob@example.com")
        .await
        .expect("registers")
        .profile_id;
    let at = |seconds| fixture.parts.clock.now() + TimeDelta::seconds(seconds);
    let first = event(ada, "favourites", at(1));
    let third = event(ada, "favourites", at(3));
    let second = event(ada, "favourites", at(2));
    for message in [&third, &first, &third, &second, &first] {
        bus.publish(message.clone()).await.expect("handled");
    }
    bus.publish(event(ada, "todos", at(5)))
        .await
        .expect("handled");
    bus.publish(event(bob, "favourites", at(9)))
        .await
        .expect("handled");
    let expected = HashMap::from([
        ("favourites".to_owned(), at(3)),
        ("todos".to_owned(), at(5)),
    ]);
    assert_eq!(last_updates(&fixture, ada).await, expected);
    assert_eq!(last_updates(&fixture, bob).await["favourites"], at(9));
}

#[tokio::test]
async fn events_that_come_together_are_kept_like_events_that_come_alone() {
    let fixture = Fixture::new().await;
    let bus = fixture.parts.bus.as_ref();
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers")
        .profile_id;
    let at = |seconds| fixture.parts.clock.now() + TimeDelta::seconds(seconds);
    let (early, late) = (
        event(ada, "favourites", at(1)),
        event(ada, "favourites", at(7)),
    );
    // Events out of order, with duplicates in the same batch and of earlier events.
    for together in [
        vec![late.clone(), early.clone(), late.clone()],
        vec![early, event(ada, "todos", at(2)), late],
    ] {
        for outcome in bus.publish_all(together).await {
            outcome.expect("handled");
        }
    }
    let expected = HashMap::from([
        ("favourites".to_owned(), at(7)),
        ("todos".to_owned(), at(2)),
    ]);
    assert_eq!(last_updates(&fixture, ada).await, expected);
}

#[tokio::test]
async fn an_event_that_cannot_be_read_keeps_nothing_from_those_beside_it() {
    let fixture = Fixture::new().await;
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers")
        .profile_id;
    let at = fixture.parts.clock.now();
    let together = vec![
        event(ada, "favourites", at),
        message(b"\xff\xff".to_vec()),
        event(ada, "todos", at),
    ];
    let outcomes = fixture.parts.bus.publish_all(together).await;
    let codes: Vec<_> = outcomes
        .into_iter()
        .map(|outcome| outcome.map_err(|fault| fault.code))
        .collect();
    assert_eq!(codes, [Ok(()), Err(Code::Invalid), Ok(())]);
    assert_eq!(last_updates(&fixture, ada).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_deliveries_leave_the_greatest_instant() {
    let fixture = Fixture::new().await;
    let ada = fixture
        .register("ada@example.com")
        .await
        .expect("registers")
        .profile_id;
    let at = |seconds| fixture.parts.clock.now() + TimeDelta::seconds(seconds);
    let deliveries = (0..30).map(|second| {
        fixture
            .parts
            .bus
            .publish(event(ada, "favourites", at(second)))
    });
    for handled in futures::future::join_all(deliveries).await {
        handled.expect("handled");
    }
    assert_eq!(last_updates(&fixture, ada).await["favourites"], at(29));
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_refused_rather_than_swallowed() {
    let fixture = Fixture::new().await;
    let without_instant = LastUpdated {
        profile_id: 1,
        kind: "todos".to_owned(),
        at: None,
    };
    for payload in [b"\xff\xff".to_vec(), without_instant.encode_to_vec()] {
        let refusal: Fault = fixture
            .parts
            .bus
            .publish(message(payload))
            .await
            .expect_err("not handled");
        assert_eq!(refusal.code, Code::Invalid);
    }
}
