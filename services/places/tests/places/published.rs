//! Events about places that change.

use std::collections::BTreeMap;

use places_proto::v1::{ListListingsRequest, import_request::Item};

use crate::fixture::{Fixture, area, listings, page, place, place_at};

#[tokio::test]
async fn each_change_of_a_place_is_told_with_a_version_that_grows() {
    let fixture = Fixture::with_restaurants().await;
    fixture
        .import(listings([
            place_at(1, "Pai", -79.5, 43.5),
            place(2, "Lena"),
        ]))
        .await;
    fixture
        .import(listings([
            place_at(1, "Pai!", -79.5, 43.5),
            place(2, "Lena"),
        ]))
        .await;
    fixture
        .import([Item::Neighbourhood(area(1, "Westside", -80, 43))])
        .await;
    fixture
        .import(listings([
            place_at(1, "Pai!", -79.5, 43.5),
            place(2, "Lena"),
        ]))
        .await;
    let ids: BTreeMap<String, i64> = fixture
        .by_name()
        .await
        .into_iter()
        .map(|(name, place)| (name, place.id))
        .collect();
    let published: Vec<(i64, String, i64)> = fixture
        .published()
        .await
        .into_iter()
        .inspect(|summary| assert!(summary.is_available && summary.date_published.is_some()))
        .map(|summary| (summary.id, summary.name, summary.version))
        .collect();
    let (pai, lena) = (ids["Pai!"], ids["Lena"]);
    assert_eq!(
        published,
        [
            (pai, "Pai".to_owned(), 1),
            (lena, "Lena".to_owned(), 1),
            (pai, "Pai!".to_owned(), 2),
            (pai, "Pai!".to_owned(), 3),
        ]
    );
}

#[tokio::test]
async fn many_places_are_told_of_in_batches_that_hold_each_once() {
    let fixture = Fixture::with_restaurants().await;
    let mut input = listings((0..250).map(|number| place_at(number, "Pai", -79.5, 43.5)));
    input.push(Item::Neighbourhood(area(1, "Westside", -80, 43)));
    fixture.import(input).await;
    let published = fixture.published().await;
    assert_eq!(published.len(), 250);
    let request = ListListingsRequest {
        page: Some(page(1)),
        ..Default::default()
    };
    assert_eq!(
        fixture
            .list(request)
            .await
            .expect("answers")
            .page
            .expect("a page")
            .count,
        250
    );
    let waiting = testkit::outbox::waiting(&fixture.parts.database, "places").await;
    // One event about the type, three about 250 places in batches of at most a hundred, and one about the
    // neighbourhood.
    assert_eq!(waiting.len(), 5);
    assert!(
        waiting
            .iter()
            .all(|event| event.exchange == "catalog" && event.key == "listing.changed")
    );
}
