//! Opening hours: stored, returned, and used for lists of places that are open now by the city's clock.

use chassis::{clock::Clock, error::Code};
use chrono::{DateTime, TimeDelta, Utc};
use cityguide_proto::paging::v1::PageRequest;
use places_proto::v1::{
    GetListingRequest, ImportListing, ImportReview, ListListingsRequest, ListOpenRequest,
    import_request::Item,
};
use testkit::{calls, within_hours};

use crate::fixture::{Fixture, page, place};

fn with_hours(number: u32, name: &str, hours: &str) -> ImportListing {
    ImportListing {
        opening_hours: Some(hours.to_owned()),
        ..place(number, name)
    }
}

/// A fixture whose clock is set to an instant.
async fn bench_at(now: &str) -> Fixture {
    let fixture = Fixture::with_restaurants().await;
    let now: DateTime<Utc> = now.parse().expect("an instant");
    let clock = &fixture.parts.clock;
    clock.advance(now - clock.now());
    fixture
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
    let fixture = bench_at("2026-06-06T05:00:00Z").await;
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
    let report = fixture.import(places).await;
    assert_eq!(report.refusals, []);
    let listed = fixture.list(open_now(10, "")).await.expect("answers");
    let names: Vec<_> = listed
        .listings
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["Bar"]);
    assert_eq!(listed.page.expect("a page").count, -1);

    let by_name = fixture.by_name().await;
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
        let mut client = fixture.client.clone();
        let answer = client
            .get_listing(calls::guest(request))
            .await
            .expect("there");
        assert_eq!(answer.into_inner().is_open_now, open, "{name}");
    }
    assert_eq!(
        by_name["Bar"].opening_hours.as_deref(),
        Some("Fr-Sa 18:00-02:00")
    );
}

#[tokio::test]
async fn a_walk_over_what_is_open_gives_each_once() {
    let fixture = bench_at("2026-06-06T05:00:00Z").await;
    let places = (0..60).map(|number| {
        let hours = if number % 3 == 0 {
            "24/7"
        } else {
            "Mo-Fr 09:00-17:00"
        };
        Item::Listing(with_hours(number, &format!("Place {number:02}"), hours))
    });
    fixture.import(places).await;
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let listed = fixture.list(open_now(7, &after)).await.expect("answers");
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

/// Names of the open places, in the order of names.
async fn open_names(fixture: &Fixture) -> Vec<String> {
    let listed = fixture.list(open_now(100, "")).await.expect("answers");
    listed.listings.into_iter().map(|one| one.name).collect()
}

/// Deletes the computed periods of matching hours, as if an import's process had been killed before the computation.
async fn forget_periods(fixture: &Fixture, hours: &str) {
    let done = sqlx::query("DELETE FROM places.open_periods WHERE opening_hours LIKE $1")
        .bind(hours)
        .execute(&mut fixture.parts.database.connection().await)
        .await
        .expect("deletes");
    assert!(done.rows_affected() > 0, "{hours} were computed");
}

const COMPUTED: &str = "SELECT count(*) FROM places.open_periods";

#[tokio::test]
async fn a_list_of_what_is_open_changes_at_the_minute() {
    let fixture = bench_at("2026-06-05T12:59:59Z").await;
    let places = [
        with_hours(1, "Bakery", "Mo-Fr 09:00-17:00"),
        with_hours(2, "Bar", "Fr-Sa 18:00-02:00"),
        with_hours(3, "Kiosk", "24/7"),
    ];
    fixture.import(places.map(Item::Listing)).await;
    for (now, open) in [
        ("2026-06-05T12:59:59Z", vec!["Kiosk"]),
        ("2026-06-05T13:00:00Z", vec!["Bakery", "Kiosk"]),
        ("2026-06-05T20:59:59.999Z", vec!["Bakery", "Kiosk"]),
        ("2026-06-05T21:00:00Z", vec!["Kiosk"]),
        ("2026-06-05T22:00:00Z", vec!["Bar", "Kiosk"]),
        ("2026-06-06T05:59:59.999Z", vec!["Bar", "Kiosk"]),
        ("2026-06-06T06:00:00Z", vec!["Kiosk"]),
        // No periods are stored for times so far ahead, so the opening hours are evaluated.
        ("2026-08-07T13:00:00Z", vec!["Bakery", "Kiosk"]),
        ("2026-08-07T21:00:00Z", vec!["Kiosk"]),
        ("2026-08-07T22:00:00Z", vec!["Bar", "Kiosk"]),
    ] {
        let now: DateTime<Utc> = now.parse().expect("an instant");
        let clock = &fixture.parts.clock;
        clock.advance(now - clock.now());
        assert_eq!(open_names(&fixture).await, open, "{now}");
    }
}

#[tokio::test]
async fn places_with_the_same_hours_share_their_periods() {
    let fixture = bench_at("2026-06-05T13:00:00Z").await;
    let places = (0..5).map(|number| {
        let hours = ["24/7", "Mo-Fr 09:00-17:00"][number as usize % 2];
        Item::Listing(with_hours(number, "Place", hours))
    });
    fixture.import(places).await;
    assert_eq!(fixture.parts.database.number(COMPUTED).await, 2);
    let computed_ahead = "SELECT count(*) FROM places.open_periods
        WHERE covers @> '[2026-06-05 00:00,2026-06-18 00:00)'::tsrange";
    assert_eq!(fixture.parts.database.number(computed_ahead).await, 2);
}

#[tokio::test]
async fn hours_whose_periods_are_not_computed_yet_are_evaluated() {
    let fixture = bench_at("2026-06-06T05:00:00Z").await;
    let hours = ["Fr-Sa 18:00-02:00", "Mo-Fr 09:00-17:00", "24/7"];
    let places = (0..30).map(|number| {
        let name = format!("Place {number:02}");
        Item::Listing(with_hours(number, &name, hours[number as usize % 3]))
    });
    fixture.import(places).await;
    let expected = open_names(&fixture).await;
    assert_eq!(expected.len(), 20);
    // Deletes the periods of some open places, then of some closed places, then of all places.
    for forgotten in ["24/7", "Mo-Fr%", "%"] {
        forget_periods(&fixture, forgotten).await;
        assert_eq!(open_names(&fixture).await, expected, "{forgotten}");
        let mut walked = Vec::new();
        for offset in (0..).step_by(6) {
            let mut request = open_now(6, "");
            request.page.get_or_insert_default().offset = offset;
            let listed = fixture.list(request).await.expect("answers");
            walked.extend(listed.listings.into_iter().map(|one| one.name));
            if listed.page.expect("a page").next_after.is_none() {
                break;
            }
        }
        assert_eq!(walked, expected, "{forgotten}, by offset");
    }
}

#[tokio::test]
async fn the_job_computes_missing_and_ending_periods_and_deletes_those_without_places() {
    let fixture = bench_at("2026-06-05T13:00:00Z").await;
    let places = [
        with_hours(1, "Bakery", "Mo-Fr 09:00-17:00"),
        with_hours(2, "Kiosk", "24/7"),
    ];
    fixture.import(places.map(Item::Listing)).await;
    forget_periods(&fixture, "%").await;
    fixture.service.run().await;
    let covered = async |at: &str| {
        let statement = "SELECT count(*) FROM places.open_periods WHERE covers @> $1::timestamp";
        sqlx::query_scalar::<_, i64>(statement)
            .bind(at.to_owned())
            .fetch_one(&mut fixture.parts.database.connection().await)
            .await
            .expect("answers")
    };
    within_hours("it has computed both", async || {
        (covered("2026-06-06 00:00").await == 2).then_some(())
    })
    .await;

    // After this import, no place has the bakery's hours.
    let closed = Item::Listing(place(1, "Bakery"));
    fixture.import([closed]).await;
    fixture.parts.clock.advance(TimeDelta::days(10));
    within_hours("it has extended the kiosk's", async || {
        (covered("2026-06-28 00:00").await == 1).then_some(())
    })
    .await;
    assert_eq!(fixture.parts.database.number(COMPUTED).await, 2);
    fixture.parts.clock.advance(TimeDelta::days(8));
    within_hours("it has deleted the bakery's", async || {
        (fixture.parts.database.number(COMPUTED).await == 1).then_some(())
    })
    .await;
}

#[tokio::test]
async fn hours_that_cannot_be_read_are_refused_and_a_zone_that_is_none_is_an_error() {
    let fixture = bench_at("2026-06-06T05:00:00Z").await;
    let report = fixture
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
        fixture.list(nowhere).await.expect_err("refused").code,
        Code::Invalid
    );
}

#[tokio::test]
async fn the_places_that_are_open_on_a_day_have_their_periods_and_the_best_ones_are_first() {
    let fixture = bench_at("2026-06-05T20:00:00Z").await;
    let closed = ImportListing {
        is_closed: true,
        ..with_hours(5, "Closed for good", "24/7")
    };
    let mut reviewed = with_hours(3, "Reviewed", "Mo-Su 12:00-15:00,18:00-22:00");
    reviewed.review = Some(ImportReview {
        body_markdown: "Go.".to_owned(),
        author: "Ada".to_owned(),
        date: "2026-05-01".to_owned(),
    });
    let places = [
        with_hours(1, "Bar", "Fr-Sa 18:00-02:00"),
        with_hours(2, "Mondays only", "Mo 08:00-18:00"),
        reviewed,
        place(4, "Who knows"),
        closed,
    ];
    let report = fixture.import(places.map(Item::Listing)).await;
    assert_eq!(report.refusals, []);
    let instant = |text: &str| {
        Some(chassis::instant::to_proto(
            text.parse().expect("an instant"),
        ))
    };
    let request = ListOpenRequest {
        zone: "Canada/Eastern".to_owned(),
        // Friday from 4 a.m. to 4 a.m.
        from: instant("2026-06-05T08:00:00Z"),
        to: instant("2026-06-06T08:00:00Z"),
    };
    let open = |request: ListOpenRequest| {
        let mut client = fixture.client.clone();
        async move { client.list_open(calls::guest(request)).await }
    };
    let answer = open(request.clone()).await.expect("answers").into_inner();
    let start = request.from.expect("a time").seconds;
    let found: Vec<_> = answer
        .places
        .iter()
        .map(|open| {
            let name = open.listing.as_ref().expect("a place").name.as_str();
            let periods = open.periods.iter();
            let hours = periods.map(|one| {
                [one.starts_at, one.ends_at].map(|at| (at.expect("a time").seconds - start) / 3_600)
            });
            (name, hours.collect::<Vec<_>>())
        })
        .collect();
    let expected = [
        ("Reviewed", vec![[8, 11], [14, 18]]),
        ("Bar", vec![[14, 22]]),
    ];
    assert_eq!(found, expected);

    let refused = [
        (
            ListOpenRequest {
                zone: String::new(),
                ..request.clone()
            },
            "zone",
        ),
        (
            ListOpenRequest {
                from: None,
                ..request.clone()
            },
            "from",
        ),
        (
            ListOpenRequest {
                to: request.from,
                ..request.clone()
            },
            "to",
        ),
        (
            ListOpenRequest {
                to: instant("2026-06-07T08:00:00Z"),
                ..request.clone()
            },
            "to",
        ),
    ];
    for (request, field) in refused {
        let fault = chassis::error::Fault::from(open(request).await.expect_err("refused"));
        assert_eq!(fault.fields[0].field, field, "{fault:?}");
    }
}
