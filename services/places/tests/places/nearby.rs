//! Places nearby, and similar places.

use chassis::{clock::Clock as _, error::Code};
use cityguide_proto::paging::v1::PageRequest;
use places_proto::v1::{
    Coordinates, GetNeighbourhoodRequest, ImportBestOfEntry, ImportBestOfList, ImportListing,
    ImportNeighbourhood, ImportReview, Include, ListListingsRequest, ListSimilarRequest,
    import_request::Item,
};
use testkit::calls;

use crate::fixture::{Fixture, area, kind, listings, page, place, place_at};

fn near(latitude: f64, longitude: f64, ordering: &str) -> ListListingsRequest {
    ListListingsRequest {
        page: Some(PageRequest {
            ordering: ordering.to_owned(),
            ..page(10)
        }),
        near: Some(Coordinates {
            latitude,
            longitude,
        }),
        ..ListListingsRequest::default()
    }
}

#[tokio::test]
async fn a_list_by_distance_begins_with_the_nearest_and_tells_how_far_each_is() {
    let fixture = Fixture::with_restaurants().await;
    let places = [
        place_at(1, "A degree west", -80.0, 43.0),
        place_at(2, "Here", -79.0, 43.0),
        // At this latitude, a degree of longitude is shorter than a degree of latitude.
        place_at(3, "Nine tenths of a degree north", -79.0, 43.9),
        place_at(4, "The other end of the Earth", 101.0, -43.0),
        place(5, "Somewhere"),
    ];
    fixture.import(listings(places)).await;
    let found = async |ordering: &str| {
        let answer = fixture.list(near(43.0, -79.0, ordering)).await;
        let answer = answer.expect("answers");
        assert_eq!(answer.page.expect("a page").count, -1);
        let found = answer.listings.into_iter();
        found
            .map(|place| (place.name, place.distance_metres.expect("measured")))
            .collect::<Vec<_>>()
    };
    let by_distance = found("distance").await;
    let names: Vec<&str> = by_distance.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Here",
            "A degree west",
            "Nine tenths of a degree north",
            "The other end of the Earth"
        ]
    );
    let metres: Vec<u32> = by_distance.iter().map(|(_, metres)| *metres).collect();
    assert_eq!(metres[0], 0);
    assert!((81_000..81_600).contains(&metres[1]), "{metres:?}");
    assert!((100_000..100_200).contains(&metres[2]), "{metres:?}");
    assert!((20_015_000..20_015_200).contains(&metres[3]), "{metres:?}");

    let mut farthest = found("-distance").await;
    farthest.reverse();
    assert_eq!(farthest, by_distance);
    assert_eq!(found("name").await.len(), 4);
}

#[tokio::test]
async fn distance_needs_a_place_to_measure_from() {
    let fixture = Fixture::with_restaurants().await;
    let request = ListListingsRequest {
        near: None,
        ..near(0.0, 0.0, "distance")
    };
    let refusal = fixture.list(request).await.expect_err("refused");
    assert_eq!(refusal.fields[0].field, "ordering");
    for (latitude, longitude) in [
        (91.0, 0.0),
        (0.0, 181.0),
        (f64::NAN, 0.0),
        (0.0, f64::INFINITY),
    ] {
        let refusal = fixture.list(near(latitude, longitude, "name")).await;
        assert_eq!(refusal.expect_err("refused").fields[0].field, "near");
    }
}

async fn similar(fixture: &Fixture, id: i64) -> Vec<String> {
    let request = calls::guest(ListSimilarRequest { id });
    let answer = fixture.client.clone().list_similar(request).await;
    let listings = answer.expect("answers").into_inner().listings;
    listings.into_iter().map(|place| place.name).collect()
}

#[tokio::test]
async fn similar_places_share_type_and_come_by_sub_type_neighbourhood_review_and_distance() {
    let fixture = Fixture::with_restaurants().await;
    let ramen = |number, name, longitude| ImportListing {
        sub_type: "Ramen".to_owned(),
        ..place_at(number, name, longitude, 43.5)
    };
    let review = ImportReview {
        body_markdown: "Good.".to_owned(),
        author: "Ada".to_owned(),
        date: "2026-05-01".to_owned(),
    };
    let items = vec![
        kind("bars"),
        Item::Neighbourhood(area(1, "West", -80, 43)),
        Item::Neighbourhood(area(2, "East", -79, 43)),
        Item::Listing(ramen(1, "The place itself", -79.5)),
        Item::Listing(ramen(2, "Ramen in the same neighbourhood", -79.9)),
        Item::Listing(ramen(3, "Ramen elsewhere, far", -78.1)),
        Item::Listing(ramen(4, "Ramen elsewhere, near", -78.9)),
        Item::Listing(ImportListing {
            review: Some(review),
            ..place_at(5, "Reviewed next door", -79.5, 43.5)
        }),
        Item::Listing(place_at(6, "Next door", -79.5, 43.5)),
        Item::Listing(place(7, "Somewhere")),
        Item::Listing(ImportListing {
            is_closed: true,
            ..ramen(8, "Closed", -79.5)
        }),
        Item::Listing(ImportListing {
            type_slug: "bars".to_owned(),
            ..ramen(9, "A bar", -79.5)
        }),
    ];
    let report = fixture.import(items).await;
    assert_eq!(report.refusals, []);
    let id = fixture.by_name().await["The place itself"].id;
    let expected = [
        "Ramen in the same neighbourhood",
        "Reviewed next door",
        "Next door",
        "Ramen elsewhere, near",
        "Ramen elsewhere, far",
        "Somewhere",
    ];
    assert_eq!(similar(&fixture, id).await, expected);
    let whole = fixture.detail(id, &[Include::Similar]).await;
    let beside: Vec<_> = whole.similar.into_iter().map(|place| place.name).collect();
    assert_eq!(beside, expected);
    assert!(whole.recent.is_empty() && whole.best_of.is_empty());
    let whole = fixture.detail(id, &[Include::Recent]).await;
    let recent: Vec<_> = whole.recent.into_iter().map(|place| place.name).collect();
    assert_eq!(recent, ["Reviewed next door"]);
}

#[tokio::test]
async fn a_neighbourhood_has_its_boundary() {
    let fixture = Fixture::with_restaurants().await;
    fixture
        .import([
            Item::Neighbourhood(area(1, "The Annex", -80, 43)),
            Item::Listing(place_at(1, "Pai", -79.5, 43.5)),
        ])
        .await;
    let ask = async |slug: &str| {
        let request = GetNeighbourhoodRequest {
            slug: slug.to_owned(),
        };
        let request = calls::guest(request);
        fixture.client.clone().get_neighbourhood(request).await
    };
    let found = ask("the-annex").await.expect("there").into_inner();
    let area = found.neighbourhood.expect("named");
    assert_eq!((area.name.as_str(), area.count), ("The Annex", 1));
    assert!(found.boundary_geojson.contains("Polygon"));
    for slug in ["annex", "", "\0", "the-annex'"] {
        let refusal = ask(slug).await.expect_err("absent");
        let refusal = chassis::error::Fault::from(refusal);
        assert_eq!(refusal.code, Code::NotFound, "{slug:?}");
    }
}

#[tokio::test]
async fn a_neighbourhood_has_its_text_and_its_ranked_then_best_rated_places() {
    let fixture = Fixture::with_restaurants().await;
    let annex = |text: &str| {
        Item::Neighbourhood(ImportNeighbourhood {
            intro_markdown: text.to_owned(),
            ..area(1, "The Annex", -80, 43)
        })
    };
    let inside = |number, name| Item::Listing(place_at(number, name, -79.5, 43.5));
    let closed = ImportListing {
        is_closed: true,
        ..place_at(5, "Closed", -79.5, 43.5)
    };
    let entry = |number: u32| ImportBestOfEntry {
        listing_source_id: format!("test:{number}"),
        ..ImportBestOfEntry::default()
    };
    let list = ImportBestOfList {
        source_id: "test:list".to_owned(),
        slug: "patios".to_owned(),
        name: "The best patios".to_owned(),
        date_published: Some(chassis::instant::to_proto(fixture.parts.clock.now())),
        entries: [5, 6, 3, 4].map(entry).to_vec(),
        ..ImportBestOfList::default()
    };
    let report = fixture
        .import([
            annex("Brick *houses*.<b onclick=x>"),
            inside(1, "Unrated"),
            inside(2, "Rated"),
            inside(3, "Third on a list"),
            inside(4, "Fourth on a list"),
            Item::Listing(closed),
            Item::Listing(place_at(6, "Elsewhere", -78.5, 43.5)),
            Item::BestOfList(list),
        ])
        .await;
    assert_eq!(report.refusals, []);
    let rated = fixture.by_name().await["Rated"].id;
    fixture.rate(1, rated, 5).await;
    // Lists are ordered by the copied votes.
    fixture.service.drain().await;
    let portrait = async || {
        let request = calls::guest(GetNeighbourhoodRequest {
            slug: "the-annex".to_owned(),
        });
        let found = fixture.client.clone().get_neighbourhood(request).await;
        found.expect("there").into_inner()
    };
    let found = portrait().await;
    assert_eq!(found.intro_html, "<p>Brick <em>houses</em>.</p>\n");
    let best: Vec<_> = found.best.into_iter().map(|place| place.name).collect();
    assert_eq!(best, ["Third on a list", "Fourth on a list", "Rated"]);
    let report = fixture.import([annex("Gone.")]).await;
    assert_eq!(report.changes[0].fields, ["text"]);
    assert_eq!(portrait().await.intro_html, "<p>Gone.</p>\n");
    let refused = fixture.import([annex(&"x".repeat(20_001))]).await;
    assert_eq!(refused.refusals.len(), 1, "{refused:?}");
}
