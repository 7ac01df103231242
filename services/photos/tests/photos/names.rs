//! The name shown with a photo changes with the uploader's profile.

use chassis::{
    bus::{Bus as _, Message},
    clock::Clock as _,
    entropy::{OsEntropy, uuid},
    instant,
};
use chrono::TimeDelta;
use cityguide_proto::{events::v1::ProfileChanged, exchange, key};
use prost::Message as _;

use crate::fixture::{ADA, BAR, BOB, Fixture, PAI, page};

#[tokio::test]
async fn a_changed_name_stands_beside_all_photos_and_an_older_change_does_not() {
    let fixture = Fixture::new().await;
    fixture.publish(ADA, PAI, 1).await;
    fixture.publish(ADA, BAR, 2).await;
    fixture.publish(BOB, PAI, 3).await;
    let at = fixture.parts.clock.now() + TimeDelta::hours(1);
    let change = async |full_name: &str, at| {
        let event = ProfileChanged {
            profile_id: ADA,
            full_name: full_name.to_owned(),
            at: Some(instant::to_proto(at)),
            ..ProfileChanged::default()
        };
        let message = Message {
            id: uuid(&OsEntropy),
            exchange: exchange::LIFECYCLE.to_owned(),
            key: key::PROFILE_CHANGED.to_owned(),
            payload: event.encode_to_vec().into(),
            traceparent: None,
        };
        for _ in 0..2 {
            fixture
                .parts
                .bus
                .publish(message.clone())
                .await
                .expect("handled");
        }
    };
    let before = fixture.published().await.len();
    change("Ada Lovelace", at).await;
    change("Ada Byron", at - TimeDelta::minutes(1)).await;
    let photos = fixture.list(Some(PAI), page(5)).await.photos;
    let names: Vec<_> = photos
        .into_iter()
        .map(|photo| photo.author.expect("an author").full_name)
        .collect();
    assert_eq!(names, ["Ada King", "Ada Lovelace"], "BOB's name stays");
    assert_eq!(fixture.published().await[before..], [PAI, BAR], "once");
}
