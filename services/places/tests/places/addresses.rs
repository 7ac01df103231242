//! Addresses of all places, for sitemaps.

use chassis::{clock::Clock, instant};
use chrono::TimeDelta;
use cityguide_proto::paging::v1::Block;
use places_proto::v1::{ImportListing, ListAddressesRequest, ListBlocksRequest};
use testkit::calls::guest;

use crate::fixture::{Fixture, kind, listings, place, tied};

#[tokio::test]
async fn blocks_of_ids_name_every_place_once_and_when_it_changed_last() {
    let fixture = Fixture::new().await;
    let mut places = tied();
    let late = places[0].review.as_mut().expect("a review");
    "2026-12-01".clone_into(&mut late.date);
    let places = [kind("restaurants")].into_iter().chain(listings(places));
    fixture.import(places).await;
    let size = 7;
    let request = ListBlocksRequest { size };
    let blocks = fixture.client.clone().list_blocks(guest(request)).await;
    let blocks = blocks.expect("answers").into_inner().numbers;
    assert!(blocks.len() >= 3, "{blocks:?}");
    let mut paths = Vec::new();
    let mut days = Vec::new();
    for number in blocks {
        let block = Some(Block { size, number });
        let request = ListAddressesRequest { block };
        let found = fixture.client.clone().list_addresses(guest(request)).await;
        let found = found.expect("answers").into_inner().addresses;
        assert!(!found.is_empty() && found.len() <= 7, "{number}");
        for address in found {
            let changed = address.changed_at.as_ref().and_then(instant::from_proto);
            days.push(changed.expect("an instant").date_naive().to_string());
            paths.push(address.path);
        }
    }
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 20);
    // One place was reviewed after its publication, the other places before.
    let on = |wanted: &str| days.iter().filter(|day| *day == wanted).count();
    assert_eq!(
        (on("2026-12-01"), on("2026-11-20"), on("2026-11-16")),
        (1, 3, 4),
        "{days:?}"
    );
}

#[tokio::test]
async fn an_address_changes_when_a_publisher_changes_its_place_and_not_by_votes() {
    let fixture = Fixture::new().await;
    let place = ImportListing {
        date_published: Some(instant::to_proto(fixture.parts.clock.now())),
        ..place(1, "Pai")
    };
    let with = |place: &ImportListing| {
        let listings = listings([place.clone()]);
        [kind("restaurants")].into_iter().chain(listings)
    };
    fixture.import(with(&place)).await;
    let published = fixture.parts.clock.now();
    let changed = async || {
        let size = chassis::blocks::MAX_SIZE;
        let block = Some(Block { size, number: 0 });
        let request = ListAddressesRequest { block };
        let found = fixture.client.clone().list_addresses(guest(request)).await;
        let found = found.expect("answers").into_inner().addresses;
        instant::from_proto(found[0].changed_at.as_ref().expect("an instant"))
    };
    fixture.parts.clock.advance(TimeDelta::hours(1));
    let id = fixture.by_name().await["Pai"].id;
    fixture.rate(1, id, 5).await;
    fixture.import(with(&place)).await;
    assert_eq!(changed().await, Some(published));
    let moved = ImportListing {
        phone: Some("416-555-0100".to_owned()),
        ..place
    };
    fixture.import(with(&moved)).await;
    assert_eq!(changed().await, Some(fixture.parts.clock.now()));
}
