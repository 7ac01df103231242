//! A reader's newsletters are sent to the account's confirmed address, and include a guest's newsletters for this
//! address.

use chassis::{
    bus::{Bus as _, Message},
    clock::Clock as _,
    entropy::{OsEntropy, uuid},
    instant,
};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::{events::v1::ProfileChanged, exchange, key};
use prost::Message as _;
use vocabulary::newsletters::Kind;

use crate::fixture::{ADA, ADDRESS, Fixture, choice};

impl Fixture {
    /// Delivers the event that a reader has confirmed an address, twice, as a broker may.
    pub(crate) async fn tell_address(&self, reader: i64, address: &str) {
        let at = self.parts.clock.now() + TimeDelta::minutes(1);
        self.tell_address_at(reader, address, at).await;
    }

    async fn tell_address_at(&self, reader: i64, address: &str, at: DateTime<Utc>) {
        let event = ProfileChanged {
            profile_id: reader,
            full_name: "Ada King".to_owned(),
            at: Some(instant::to_proto(at)),
            verified_email: address.to_owned(),
        };
        let message = Message {
            id: uuid(&OsEntropy),
            exchange: exchange::LIFECYCLE.to_owned(),
            key: key::PROFILE_CHANGED.to_owned(),
            payload: event.encode_to_vec().into(),
            traceparent: None,
        };
        for _ in 0..2 {
            let published = self.parts.bus.publish(message.clone());
            published.await.expect("handled");
        }
    }
}

#[tokio::test]
async fn newsletters_move_with_the_account_and_an_older_change_does_not_move_them_back() {
    let fixture = Fixture::new().await;
    fixture
        .change(ADA, (ADDRESS, true), vec![choice(Kind::News, true)])
        .await;
    let now = fixture.parts.clock.now();
    fixture
        .tell_address_at(ADA, "ada@new.example", now + TimeDelta::hours(2))
        .await;
    fixture
        .tell_address_at(ADA, "ada@between.example", now + TimeDelta::hours(1))
        .await;
    let known = fixture.known("ada@new.example").await;
    assert_eq!(
        (known.on.as_slice(), known.is_reader),
        (["news".to_owned()].as_slice(), true)
    );
    assert!(fixture.known(ADDRESS).await.on.is_empty());
    assert!(fixture.known("ada@between.example").await.on.is_empty());
}

#[tokio::test]
async fn a_guest_who_makes_an_account_keeps_the_newsletters_and_the_links_in_old_mails() {
    let fixture = Fixture::new().await;
    let token = fixture.subscribe(ADDRESS, &[Kind::Foods, Kind::News]).await;
    fixture
        .change(ADA, (ADDRESS, false), vec![choice(Kind::Travel, true)])
        .await;
    assert_eq!(
        fixture.settings(ADA).await,
        ["travel"],
        "anybody can write an address into a form"
    );
    fixture.tell_address(ADA, ADDRESS).await;
    assert_eq!(fixture.settings(ADA).await, ["news", "foods", "travel"]);
    // The link in an earlier email continues to work.
    let off = vec![choice(Kind::News, false)];
    assert_eq!(
        fixture.prefer(&token, off).await.expect("works"),
        ["foods", "travel"]
    );
    assert_eq!(fixture.settings(ADA).await, ["foods", "travel"]);
    let subscribers = "SELECT count(*) FROM newsletters.subscribers";
    assert_eq!(fixture.parts.database.number(subscribers).await, 1);
}

#[tokio::test]
async fn an_account_without_settings_takes_up_what_its_owner_had_as_a_guest() {
    let fixture = Fixture::new().await;
    fixture.tell_address(ADA, ADDRESS).await;
    let subscribers = "SELECT count(*) FROM newsletters.subscribers";
    assert_eq!(
        fixture.parts.database.number(subscribers).await,
        0,
        "nothing to take up"
    );
    fixture.subscribe(ADDRESS, &[Kind::Foods]).await;
    fixture.tell_address(ADA, ADDRESS).await;
    assert_eq!(fixture.settings(ADA).await, ["foods"]);
}

#[tokio::test]
async fn what_a_guest_confirms_under_an_accounts_confirmed_address_is_in_the_accounts_settings() {
    let fixture = Fixture::new().await;
    fixture.tell_address(ADA, ADDRESS).await;
    fixture.subscribe(ADDRESS, &[Kind::Travel]).await;
    assert_eq!(fixture.settings_of(ADA, ADDRESS).await, ["travel"]);
    let others = ["", "somebody@example.com"];
    for address in others {
        assert_eq!(
            fixture.settings_of(ADA, address).await,
            [""; 0],
            "{address}"
        );
    }
    let off = vec![choice(Kind::Travel, false)];
    let on = fixture.change(ADA, (ADDRESS, true), off).await;
    assert_eq!(on, [""; 0]);
    assert_eq!(fixture.settings_of(ADA, ADDRESS).await, [""; 0]);
    assert_eq!(fixture.known(ADDRESS).await.on, [""; 0]);
}

#[tokio::test]
async fn a_form_for_guests_changes_the_settings_of_the_address_that_confirms_it() {
    let fixture = Fixture::new().await;
    fixture
        .change(ADA, (ADDRESS, true), vec![choice(Kind::News, true)])
        .await;
    let link = fixture.ask_for_link(ADDRESS, &[Kind::Events]).await;
    fixture.confirm(&link).await.expect("confirms");
    assert_eq!(fixture.settings(ADA).await, ["news", "events"]);
}
