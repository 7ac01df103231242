//! Imports: idempotent by source id, all or nothing, with a report of each refusal.

use std::collections::BTreeMap;

use chassis::{
    clock::Clock,
    error::{Code, Fault},
    instant,
};
use chrono::TimeDelta;
use cityguide_proto::intake::v1::{Finish, Refusal};
use places_proto::v1::{
    GetListingRequest, ImportListing, ImportNeighbourhood, ImportRequest, ImportReview,
    ListNeighbourhoodsRequest, ListTypesRequest, import_request::Item,
};
use testkit::calls;

use crate::fixture::{Fixture, area, counts, kind, listings, place, place_at};

const PLACES: &str = "SELECT count(*) FROM places.listings";

#[tokio::test]
async fn what_is_new_is_created_what_differs_is_changed_and_what_repeats_is_left() {
    let fixture = Fixture::new().await;
    let input = || {
        vec![
            kind("restaurants"),
            Item::Neighbourhood(area(1, "The Annex", -80, 43)),
            Item::Listing(place_at(1, "Pai", -79.5, 43.5)),
            Item::Listing(place(2, "Lena")),
        ]
    };
    let first = fixture.import(input()).await;
    assert!(first.applied);
    assert_eq!(counts(&first, "types"), (1, 0, 0, 0));
    assert_eq!(counts(&first, "neighbourhoods"), (1, 0, 0, 0));
    assert_eq!(counts(&first, "places"), (2, 0, 0, 0));

    fixture.parts.clock.advance(TimeDelta::days(1));
    let again = fixture.import(input()).await;
    assert_eq!(counts(&again, "types"), (0, 0, 1, 0));
    assert_eq!(counts(&again, "neighbourhoods"), (0, 0, 1, 0));
    assert_eq!(counts(&again, "places"), (0, 0, 2, 0));

    let differing = fixture
        .import([
            Item::Neighbourhood(ImportNeighbourhood {
                name: "Annex".to_owned(),
                ..area(1, "", -80, 43)
            }),
            Item::Listing(ImportListing {
                is_closed: true,
                ..place_at(1, "Pai", -79.5, 43.5)
            }),
            Item::Listing(place(2, "Lena")),
        ])
        .await;
    assert_eq!(counts(&differing, "neighbourhoods"), (0, 1, 0, 0));
    assert_eq!(counts(&differing, "places"), (0, 1, 1, 0));
    let places = fixture.by_name().await;
    assert!(places["Pai"].is_closed);
    assert_eq!(
        places["Pai"]
            .neighbourhood
            .as_ref()
            .expect("is in one")
            .name,
        "Annex"
    );
    assert_eq!(
        places["Pai"]
            .neighbourhood
            .as_ref()
            .expect("is in one")
            .slug,
        "the-annex"
    );
}

#[tokio::test]
async fn every_field_of_a_place_arrives_and_leaves_again() {
    let fixture = Fixture::with_restaurants().await;
    let published = fixture.parts.clock.now() - TimeDelta::days(400);
    let full = ImportListing {
        slug: "pai-toronto".to_owned(),
        sub_type: "Thai Food".to_owned(),
        address: Some("18 Duncan St".to_owned()),
        phone: Some("416-901-4724".to_owned()),
        website: Some("https://pai.example".to_owned()),
        is_closed: true,
        image_url: Some("/media/x.svg".to_owned()),
        dinesafe_establishment_id: Some("105".to_owned()),
        date_published: Some(instant::to_proto(published)),
        review: Some(ImportReview {
            body_markdown: "Good *soup*.".to_owned(),
            author: "Ada".to_owned(),
            date: "2026-05-03".to_owned(),
        }),
        ..place_at(1, "Pai", -79.5, 43.5)
    };
    fixture.import(listings([full.clone()])).await;
    let id = fixture.by_name().await["Pai"].id;
    let get = async || {
        let request = calls::guest(GetListingRequest {
            id,
            ..Default::default()
        });
        fixture
            .client
            .clone()
            .get_listing(request)
            .await
            .expect("answers")
            .into_inner()
    };
    let detail = get().await;
    let listing = detail.listing.expect("a place");
    assert_eq!(listing.slug, "pai-toronto");
    assert_eq!(listing.sub_type.expect("has one").slug, "thai-food");
    assert_eq!(listing.address, full.address);
    assert_eq!(listing.phone, full.phone);
    assert_eq!(listing.website, full.website);
    assert!(listing.is_closed);
    assert_eq!(listing.image_url, full.image_url);
    assert_eq!(listing.coordinates, full.coordinates);
    assert_eq!(
        listing.dinesafe_establishment_id,
        full.dinesafe_establishment_id
    );
    assert_eq!(listing.date_published, full.date_published);
    let review = detail.review.expect("has one");
    assert_eq!(review.body_html.trim(), "<p>Good <em>soup</em>.</p>");
    assert_eq!(
        (review.author.as_str(), review.date.as_str()),
        ("Ada", "2026-05-03")
    );

    // An import without optional fields removes them, except the publication date and the slug, so that links to the
    // place continue to work.
    let bare = fixture.import(listings([place(1, "Pai")])).await;
    assert_eq!(counts(&bare, "places"), (0, 1, 0, 0));
    let detail = get().await;
    assert_eq!(detail.review, None);
    let listing = detail.listing.expect("a place");
    assert_eq!(
        (listing.sub_type, listing.address, listing.coordinates),
        (None, None, None)
    );
    assert_eq!(listing.date_published, full.date_published);
    assert_eq!(listing.slug, "pai-toronto");
}

#[tokio::test]
async fn a_refusal_names_position_source_and_reason_and_the_counts_add_up() {
    let fixture = Fixture::with_restaurants().await;
    let nowhere = ImportListing {
        type_slug: "nowhere".to_owned(),
        ..place(2, "Nowhere")
    };
    let nameless = place(3, " ");
    let slug = ImportListing {
        slug: "No Slug".to_owned(),
        ..place(4, "No Slug")
    };
    let off = place_at(5, "Off", 200.0, 43.5);
    let nul = ImportListing {
        review: Some(ImportReview {
            body_markdown: "x".to_owned(),
            author: "A\0da".to_owned(),
            date: "2026-05-03".to_owned(),
        }),
        ..place(6, "Nul")
    };
    let open = ImportNeighbourhood {
        boundary_geojson: r#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}"#
            .to_owned(),
        ..area(1, "Open", 0, 0)
    };
    let text = ImportNeighbourhood {
        boundary_geojson: "{".to_owned(),
        ..area(2, "Text", 0, 0)
    };
    let report = fixture
        .import([
            kind("news"),
            Item::Neighbourhood(open),
            Item::Neighbourhood(text),
            Item::Listing(place(1, "Pai")),
            Item::Listing(nowhere),
            Item::Listing(nameless),
            Item::Listing(slug),
            Item::Listing(off),
            Item::Listing(nul),
        ])
        .await;
    assert!(report.applied);
    assert_eq!(counts(&report, "types"), (0, 0, 0, 1));
    assert_eq!(counts(&report, "neighbourhoods"), (0, 0, 0, 2));
    assert_eq!(counts(&report, "places"), (1, 0, 0, 5));
    let refused: BTreeMap<&str, (&str, &str)> = report
        .refusals
        .iter()
        .map(
            |Refusal {
                 position,
                 source_id,
                 reason,
             }| { (source_id.as_str(), (position.as_str(), reason.as_str())) },
        )
        .collect();
    assert_eq!(report.refusals.len(), refused.len());
    for (source_id, position, word) in [
        ("type:news", "", "belongs to the site"),
        ("area:1", "feature 1", "not closed"),
        ("area:2", "feature 2", "no JSON"),
        ("test:2", "line 2", "nowhere"),
        ("test:3", "line 3", "name is missing"),
        ("test:4", "line 4", "no slug"),
        ("test:5", "line 5", "no position"),
        ("test:6", "line 6", "control characters"),
    ] {
        let (found, reason) = refused[source_id];
        assert_eq!(found, position);
        assert!(reason.contains(word), "{source_id}: {reason}");
    }
}

#[tokio::test]
async fn a_source_id_that_comes_twice_in_one_input_is_refused_the_second_time() {
    let fixture = Fixture::with_restaurants().await;
    let twin = ImportListing {
        position: "line 2".to_owned(),
        ..place(1, "Twin")
    };
    let report = fixture.import(listings([place(1, "Pai"), twin])).await;
    assert_eq!(counts(&report, "places"), (1, 0, 0, 1));
    assert_eq!(report.refusals[0].position, "line 2");
    assert!(
        report.refusals[0].reason.contains("came before"),
        "{}",
        report.refusals[0].reason
    );
    assert_eq!(fixture.by_name().await.keys().collect::<Vec<_>>(), ["Pai"]);
    // A neighbourhood with the same id is a different object.
    let report = fixture
        .import([
            Item::Listing(place(7, "Seven")),
            Item::Neighbourhood(ImportNeighbourhood {
                source_id: "test:7".to_owned(),
                ..area(7, "Seven", 0, 0)
            }),
        ])
        .await;
    assert_eq!(report.refusals, []);
}

#[tokio::test]
async fn all_or_nothing_takes_nothing_where_one_item_is_refused() {
    let fixture = Fixture::with_restaurants().await;
    let finish = Finish {
        all_or_nothing: true,
        ..Finish::default()
    };
    let report = fixture
        .import_with(listings([place(1, "Pai"), place(2, "")]), finish)
        .await;
    assert!(!report.applied);
    assert_eq!(counts(&report, "places"), (1, 0, 0, 1));
    assert_eq!(fixture.parts.database.number(PLACES).await, 0);
    assert_eq!(fixture.published().await, []);
    let report = fixture
        .import_with(listings([place(1, "Pai")]), finish)
        .await;
    assert!(report.applied);
    assert_eq!(fixture.parts.database.number(PLACES).await, 1);
}

#[tokio::test]
async fn a_dry_run_reports_what_would_be_and_changes_nothing() {
    let fixture = Fixture::with_restaurants().await;
    fixture.import(listings([place(1, "Pai")])).await;
    let published = fixture.published().await;
    let finish = Finish {
        dry_run: true,
        all_or_nothing: false,
        ..Finish::default()
    };
    let input = listings([place(1, "Pai Renamed"), place(2, "Lena")]);
    let report = fixture.import_with(input.clone(), finish).await;
    assert!(!report.applied);
    assert_eq!(counts(&report, "places"), (1, 1, 0, 0));
    assert_eq!(fixture.by_name().await.keys().collect::<Vec<_>>(), ["Pai"]);
    assert_eq!(fixture.published().await, published);
    let report = fixture.import(input).await;
    assert_eq!(counts(&report, "places"), (1, 1, 0, 0));
}

#[tokio::test]
async fn a_stream_that_ends_before_its_finish_changes_nothing() {
    let fixture = Fixture::with_restaurants().await;
    let refusal = fixture
        .send(listings([place(1, "Pai")]))
        .await
        .expect_err("refused");
    assert_eq!(refusal.code, Code::Invalid);
    assert_eq!(fixture.parts.database.number(PLACES).await, 0);
    // The refused import does not block the next one.
    fixture.import(listings([place(1, "Pai")])).await;
    assert_eq!(fixture.parts.database.number(PLACES).await, 1);
}

#[tokio::test]
async fn only_an_operator_imports() {
    let fixture = Fixture::new().await;
    let finish = || {
        let item = Some(Item::Finish(Finish::default()));
        futures::stream::iter([ImportRequest { item }])
    };
    for request in [calls::guest(finish()), calls::reader(1, finish())] {
        let refusal: Fault = fixture
            .client
            .clone()
            .import(request)
            .await
            .expect_err("refused")
            .into();
        assert_eq!(refusal.code, Code::Forbidden);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_imports_of_the_same_input_make_each_place_once() {
    let fixture = Fixture::with_restaurants().await;
    let input = || listings((0..20).map(|number| place(number, "Same Name")));
    let imports = (0..4).map(|_| fixture.import(input()));
    let reports = futures::future::join_all(imports).await;
    let created: u32 = reports
        .iter()
        .map(|report| counts(report, "places").0)
        .sum();
    let unchanged: u32 = reports
        .iter()
        .map(|report| counts(report, "places").2)
        .sum();
    assert_eq!((created, unchanged), (20, 60));
    assert_eq!(fixture.parts.database.number(PLACES).await, 20);
}

#[tokio::test]
async fn places_that_came_before_their_neighbourhoods_get_them_afterwards() {
    let fixture = Fixture::with_restaurants().await;
    let in_the_west = place_at(1, "West", -79.5, 43.5);
    let in_the_east = place_at(2, "East", -78.5, 43.5);
    fixture
        .import(listings([
            in_the_west.clone(),
            in_the_east,
            place(3, "Nowhere"),
        ]))
        .await;
    let west = area(1, "Westside", -80, 43);
    // A place may precede its neighbourhood in the input, or may have been imported before it.
    fixture
        .import([
            Item::Listing(place_at(4, "Late", -79.1, 43.1)),
            Item::Neighbourhood(west.clone()),
            Item::Neighbourhood(area(2, "Eastside", -79, 43)),
        ])
        .await;
    let names = async || -> Vec<(String, Option<String>)> {
        let places = fixture.by_name().await;
        let area = |area: &places_proto::v1::Neighbourhood| area.name.clone();
        places
            .values()
            .map(|place| (place.name.clone(), place.neighbourhood.as_ref().map(area)))
            .collect()
    };
    let expect = |west: &str| {
        vec![
            ("East".to_owned(), Some("Eastside".to_owned())),
            ("Late".to_owned(), Some(west.to_owned())),
            ("Nowhere".to_owned(), None),
            ("West".to_owned(), Some(west.to_owned())),
        ]
    };
    assert_eq!(names().await, expect("Westside"));
    let again = fixture.import(listings([in_the_west])).await;
    assert_eq!(counts(&again, "places"), (0, 0, 1, 0));

    // After a boundary has moved away, its neighbourhood loses these places.
    let moved = area(1, "Westside", -90, 43);
    fixture.import([Item::Neighbourhood(moved)]).await;
    assert_eq!(names().await[3], ("West".to_owned(), None));
    let request = calls::guest(ListNeighbourhoodsRequest {});
    let all = fixture
        .client
        .clone()
        .list_neighbourhoods(request)
        .await
        .expect("answers");
    let counted: Vec<_> = all
        .into_inner()
        .neighbourhoods
        .into_iter()
        .map(|n| (n.name, n.count))
        .collect();
    assert_eq!(
        counted,
        [("Eastside".to_owned(), 1), ("Westside".to_owned(), 0)]
    );
}

#[tokio::test]
async fn more_places_than_are_kept_together_are_taken_as_if_they_came_one_by_one() {
    let fixture = Fixture::with_restaurants().await;
    let input = || {
        let places = (0..1_203_u32).map(|number| ImportListing {
            position: format!("line {number}"),
            // Three names, which collide within a batch and across batches.
            ..place(number, ["Pai", "Lena", "Pai 2"][number as usize % 3])
        });
        let mut items: Vec<Item> = places.map(Item::Listing).collect();
        // One place is repeated within the same batch; additional spaces do not make it a different place.
        let twice = ImportListing {
            source_id: " test:1202 ".to_owned(),
            ..place(1_202, "Pai")
        };
        items.push(Item::Listing(twice));
        items.insert(600, Item::Listing(place(5_000, "")));
        // Places can refer to types that precede them in the stream.
        items.insert(700, kind("bars"));
        items
    };
    for expected in [(1_203, 0, 0, 2), (0, 0, 1_203, 2)] {
        let report = fixture.import(input()).await;
        assert_eq!(counts(&report, "places"), expected);
        let refused: Vec<_> = report.refusals.iter().map(|one| &one.source_id).collect();
        assert_eq!(refused, ["test:5000", "test:1202"]);
    }
    let ids = "SELECT source_id FROM places.listings ORDER BY id";
    let made: Vec<String> = sqlx::query_scalar(ids)
        .fetch_all(&mut fixture.parts.database.connection().await)
        .await
        .expect("answers");
    let expected: Vec<_> = (0..1_203).map(|number| format!("test:{number}")).collect();
    assert_eq!(made, expected);
    let mut given = fixture.slugs().await;
    given.sort_unstable();
    given.dedup();
    assert_eq!(given.len(), 1_203);
    assert!(given.contains(&"pai-401".to_owned()) || given.contains(&"pai-2-401".to_owned()));
}

#[tokio::test]
async fn types_are_changed_in_place_and_counted() {
    let fixture = Fixture::with_restaurants().await;
    fixture
        .import(listings((0..3).map(|number| place(number, "Pai"))))
        .await;
    let Item::Type(mut changed) = kind("restaurants") else {
        unreachable!("a type")
    };
    changed.name = "Places to eat".to_owned();
    let report = fixture.import([Item::Type(changed)]).await;
    assert_eq!(counts(&report, "types"), (0, 1, 0, 0));
    let request = calls::guest(ListTypesRequest {});
    let types = fixture
        .client
        .clone()
        .list_types(request)
        .await
        .expect("answers")
        .into_inner()
        .types;
    assert_eq!(types.len(), 1);
    assert_eq!(
        (types[0].name.as_str(), types[0].count),
        ("Places to eat", 3)
    );
}
