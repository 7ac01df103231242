//! Opening hours: stored, returned, and used for lists of places that are open now by the city's clock.

use chassis::{clock::Clock, error::Code};
use chrono::{DateTime, Utc};
use cityguide_proto::{
    paging::v1::PageRequest,
    places::v1::{GetListingRequest, ImportListing, ListListingsRequest, import_request::Item},
};
use testkit::calls;

use crate::bench::{Bench, page, place};

fn with_hours(number: u32, name: &str, hours: &str) -> ImportListing {
    ImportListing {
        opening_hours: Some(hours.to_owned()),
        ..place(number, name)
    }
}

/// A bench whose clock is set to an instant.
async fn bench_at(now: &str) -> Bench {
    let bench = Bench::with_restaurants().await;
    let now: DateTime<Utc> = now.parse().expect("an instant");
    let clock = &bench.parts.clock;
    clock.advance(now - clock.now());
    bench
}

fn open_now(limit: u32, after: &str) -> ListListingsRequest {
    ListListingsRequest {
        page: Some(PageRequest {
            after: after.to_owned(),
            ordering: "name".to_owned(),
            ..page(limit)
        }),
        open_now_in: "Canada/Eastern".to_owned(),
        ..ListListingsRequest::default()
    }
}

#[tokio::test]
async fn a_list_of_what_is_open_follows_the_citys_clock() {
    // One o'clock in the night from Friday to Saturday.
    let bench = bench_at("2026-06-06T05:00:00Z").await;
    let closed = ImportListing {
        is_closed: true,
        ..with_hours(4, "Closed for good", "24/7")
    };
    let places = [
        with_hours(1, "Bar", "Fr-Sa 18:00-02:00"),
        with_hours(2, "Café", "Mo-Su 08:00-18:00"),
        place(3, "Who knows"),
        closed,
    ];
    let places = places.map(Item::Listing);
    let report = bench.import(places).await;
    assert_eq!(report.refusals, []);
    let listed = bench.list(open_now(10, "")).await.expect("answers");
    let names: Vec<_> = listed
        .listings
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["Bar"]);
    assert_eq!(listed.page.expect("a page").count, -1);

    let by_name = bench.by_name().await;
    for (name, open) in [
        ("Bar", Some(true)),
        ("Café", Some(false)),
        ("Who knows", None),
        ("Closed for good", Some(false)),
    ] {
        let request = GetListingRequest {
            id: by_name[name].id,
            zone: "Canada/Eastern".to_owned(),
            ..GetListingRequest::default()
        };
        let mut client = bench.client.clone();
        let told = client
            .get_listing(calls::guest(request))
            .await
            .expect("there");
        assert_eq!(told.into_inner().is_open_now, open, "{name}");
    }
    assert_eq!(
        by_name["Bar"].opening_hours.as_deref(),
        Some("Fr-Sa 18:00-02:00")
    );
}

#[tokio::test]
async fn a_walk_over_what_is_open_gives_each_once() {
    let bench = bench_at("2026-06-06T05:00:00Z").await;
    let places = (0..60).map(|number| {
        let hours = if number % 3 == 0 {
            "24/7"
        } else {
            "Mo-Fr 09:00-17:00"
        };
        Item::Listing(with_hours(number, &format!("Place {number:02}"), hours))
    });
    bench.import(places).await;
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let listed = bench.list(open_now(7, &after)).await.expect("answers");
        seen.extend(listed.listings.into_iter().map(|one| one.name));
        match listed.page.expect("a page").next_after {
            Some(next) => after = next,
            None => break,
        }
    }
    let expected: Vec<_> = (0..60)
        .step_by(3)
        .map(|number| format!("Place {number:02}"))
        .collect();
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn hours_that_cannot_be_read_are_refused_and_a_zone_that_is_none_is_an_error() {
    let bench = bench_at("2026-06-06T05:00:00Z").await;
    let report = bench
        .import([Item::Listing(with_hours(1, "Bar", "whenever"))])
        .await;
    assert!(
        report.refusals[0].reason.contains("opening hours"),
        "{report:?}"
    );
    let nowhere = ListListingsRequest {
        open_now_in: "Canada/Nowhere".to_owned(),
        ..open_now(7, "")
    };
    assert_eq!(
        bench.list(nowhere).await.expect_err("refused").code,
        Code::Invalid
    );
}
