//! Lists: filters, keywords, counts, and pagination by `next`.

use chassis::{clock::Clock, error::Code, instant, paging::MAX_LIMIT};
use chrono::TimeDelta;
use cityguide_proto::paging::v1::PageRequest;
use places_proto::v1::{Coordinates, ImportListing, ListListingsRequest, import_request::Item};

use crate::fixture::{Fixture, area, kind, listings, page, place, place_at, tied};

fn by(ordering: &str) -> ListListingsRequest {
    ListListingsRequest {
        page: Some(PageRequest {
            ordering: ordering.to_owned(),
            ..page(3)
        }),
        near: ordering.ends_with("distance").then_some(Coordinates {
            latitude: 43.65,
            longitude: -79.38,
        }),
        ..Default::default()
    }
}

fn with_keywords(keywords: &str) -> ListListingsRequest {
    ListListingsRequest {
        page: Some(PageRequest {
            keywords: keywords.to_owned(),
            ..page(100)
        }),
        ..Default::default()
    }
}

/// Names of one page, sorted.
async fn names(fixture: &Fixture, request: ListListingsRequest) -> Vec<String> {
    let answer = fixture.list(request).await.expect("answers");
    let mut names: Vec<String> = answer
        .listings
        .into_iter()
        .map(|place| place.name)
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn following_next_gives_each_place_once_in_order_though_others_come_in_between() {
    for ordering in [
        "-date_published",
        "date_published",
        "name",
        "-name",
        "date_reviewed",
        "-date_reviewed",
        "rating",
        "-rating",
        "distance",
        "-distance",
    ] {
        let fixture = Fixture::with_restaurants().await;
        fixture.import(listings(tied())).await;
        for (number, place) in (1..).zip(fixture.by_name().await.values()) {
            fixture.rate(7, place.id, 1 + number % 5).await;
        }
        let whole = ListListingsRequest {
            page: Some(PageRequest {
                ordering: ordering.to_owned(),
                ..page(MAX_LIMIT)
            }),
            ..by(ordering)
        };
        let expected: Vec<i64> = fixture
            .list(whole)
            .await
            .expect("answers")
            .listings
            .iter()
            .map(|place| place.id)
            .collect();
        assert_eq!(
            expected.len(),
            if ordering.contains("reviewed") {
                10
            } else {
                20
            }
        );

        let mut walked: Vec<i64> = Vec::new();
        let mut request = by(ordering);
        for number in 100.. {
            let answer = fixture.list(request.clone()).await.expect("answers");
            walked.extend(answer.listings.iter().map(|place| place.id));
            let Some(after) = answer.page.expect("a page").next_after else {
                break;
            };
            let page = request.page.get_or_insert_default();
            // As in the HTTP API's `next`, both `offset` and `after` are given; `after` takes precedence.
            (page.offset, page.after) = (page.offset + 3, after);
            if number > 105 {
                continue;
            }
            // One place is added before all others, one after all others and one in the middle.
            let noon = fixture.parts.clock.now();
            fixture
                .import(listings([
                    ImportListing {
                        date_published: Some(instant::to_proto(noon + TimeDelta::days(1))),
                        ..place_at(number * 10, "000", -79.3, 43.6)
                    },
                    ImportListing {
                        date_published: Some(instant::to_proto(noon - TimeDelta::days(99))),
                        ..place_at(number * 10 + 1, "zzz", 99.0, -43.0)
                    },
                    ImportListing {
                        date_published: Some(instant::to_proto(noon - TimeDelta::days(2))),
                        ..place_at(number * 10 + 2, "Apple", -81.0, 43.0)
                    },
                ]))
                .await;
        }
        let old: Vec<i64> = walked
            .iter()
            .copied()
            .filter(|id| expected.contains(id))
            .collect();
        assert_eq!(old, expected, "{ordering}");
        let mut once = walked.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), walked.len(), "{ordering}: none comes twice");
    }
}

#[tokio::test]
async fn an_offset_skips_in_every_order_what_the_pages_before_hold() {
    let fixture = Fixture::with_restaurants().await;
    fixture.import(listings(tied())).await;
    for ordering in [
        "-date_published",
        "date_published",
        "name",
        "-date_reviewed",
        "-rating",
        "distance",
    ] {
        for keywords in ["", "apple"] {
            let asked = |limit: u32, offset: u32| ListListingsRequest {
                page: Some(PageRequest {
                    ordering: ordering.to_owned(),
                    keywords: keywords.to_owned(),
                    offset,
                    ..page(limit)
                }),
                r#type: "restaurants".to_owned(),
                ..by(ordering)
            };
            let ids = async |request| {
                let answer = fixture.list(request).await.expect("answers");
                let ids: Vec<i64> = answer.listings.iter().map(|place| place.id).collect();
                (ids, answer.page.expect("a page").next_after.is_some())
            };
            let (whole, _) = ids(asked(MAX_LIMIT, 0)).await;
            assert!(whole.len() > 3, "{ordering} {keywords}");
            for (number, expected) in (0..).zip(whole.chunks(3)) {
                let is_last = 3 * (number + 1) >= whole.len();
                let offset = u32::try_from(3 * number).expect("small");
                let found = ids(asked(3, offset)).await;
                assert_eq!(
                    found,
                    (expected.to_vec(), !is_last),
                    "{ordering} {keywords} {offset}"
                );
            }
            let beyond = ids(asked(3, 10_000)).await;
            assert_eq!(beyond, (Vec::new(), false), "{ordering} {keywords}");
        }
    }
}

#[tokio::test]
async fn names_are_ordered_as_people_read_them() {
    let fixture = Fixture::with_restaurants().await;
    let shuffled = ["Zebra", "éclair", "apple", "Banana", "Ödipus"];
    let input = (0..)
        .zip(shuffled)
        .map(|(number, name)| place(number, name));
    fixture.import(listings(input)).await;
    let request = ListListingsRequest {
        page: Some(PageRequest {
            ordering: "name".to_owned(),
            ..page(100)
        }),
        ..Default::default()
    };
    let answer = fixture.list(request).await.expect("answers");
    let names: Vec<_> = answer
        .listings
        .iter()
        .map(|place| place.name.as_str())
        .collect();
    assert_eq!(names, ["apple", "Banana", "éclair", "Ödipus", "Zebra"]);
}

#[tokio::test]
async fn a_made_up_place_to_begin_is_refused() {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
    let fixture = Fixture::with_restaurants().await;
    fixture.import(listings([place(1, "Pai")])).await;
    for (ordering, key) in [
        ("-date_published", "yesterday"),
        ("-date_published", "0000-01-01T00:00:00.000Z"),
        ("-date_published", "'; DROP TABLE listings"),
        ("date_reviewed", "2026-13-45"),
        ("date_reviewed", ""),
        ("name", "a\0b"),
    ] {
        let after = serde_json::json!([ordering, key, 1]).to_string();
        let mut request = by(ordering);
        request.page.get_or_insert_default().after = BASE64_URL_SAFE_NO_PAD.encode(after);
        let refusal = fixture.list(request).await.expect_err("refused");
        assert_eq!(refusal.code, Code::Invalid, "{ordering} {key:?}: {refusal}");
        assert_eq!(refusal.fields[0].field, "after");
    }
}

fn all() -> ListListingsRequest {
    ListListingsRequest {
        page: Some(page(100)),
        ..Default::default()
    }
}

fn restaurants() -> ListListingsRequest {
    ListListingsRequest {
        r#type: "restaurants".to_owned(),
        ..all()
    }
}

fn westside() -> ListListingsRequest {
    ListListingsRequest {
        neighbourhood: "westside".to_owned(),
        ..all()
    }
}

/// Two restaurants and a bar on the Westside, and a restaurant somewhere else.
async fn city() -> Fixture {
    let fixture = Fixture::with_restaurants().await;
    let sushi = ImportListing {
        sub_type: "Sushi".to_owned(),
        ..place_at(1, "Sushi West", -79.5, 43.5)
    };
    let closed = ImportListing {
        is_closed: true,
        ..place_at(2, "Closed West", -79.5, 43.5)
    };
    let bar = ImportListing {
        type_slug: "bars".to_owned(),
        ..place_at(3, "Bar West", -79.5, 43.5)
    };
    let westside = Item::Neighbourhood(area(1, "Westside", -80, 43));
    let places = listings([sushi, closed, bar, place(4, "Nowhere")]);
    fixture
        .import([kind("bars"), westside].into_iter().chain(places))
        .await;
    fixture
}

async fn count(fixture: &Fixture, request: ListListingsRequest) -> i64 {
    let answer = fixture.list(request).await.expect("answers");
    answer.page.expect("a page").count
}

#[tokio::test]
async fn a_list_with_one_filter_at_most_has_its_exact_count() {
    let fixture = city().await;
    let west = ["Bar West", "Closed West", "Sushi West"];
    let everything = ["Bar West", "Closed West", "Nowhere", "Sushi West"];
    assert_eq!(count(&fixture, all()).await, 4);
    assert_eq!(names(&fixture, all()).await, everything);
    assert_eq!(count(&fixture, restaurants()).await, 3);
    assert_eq!(
        names(&fixture, restaurants()).await,
        ["Closed West", "Nowhere", "Sushi West"]
    );
    assert_eq!(count(&fixture, westside()).await, 3);
    assert_eq!(names(&fixture, westside()).await, west);
}

#[tokio::test]
async fn a_list_that_is_narrowed_further_has_no_count() {
    let fixture = city().await;
    let ids: Vec<i64> = fixture
        .by_name()
        .await
        .values()
        .map(|place| place.id)
        .take(2)
        .collect();
    let (mut both, mut sushi, mut closed) = (restaurants(), restaurants(), all());
    both.neighbourhood = westside().neighbourhood;
    sushi.sub_type = "sushi".to_owned();
    closed.is_closed = Some(true);
    let (mut open, mut among, mut reviewed) = (westside(), all(), all());
    open.is_closed = Some(false);
    among.ids = ids;
    reviewed.reviewed = Some(true);
    for (request, expected) in [
        (both, ["Closed West", "Sushi West"].as_slice()),
        (sushi, &["Sushi West"]),
        (closed, &["Closed West"]),
        (open, &["Bar West", "Sushi West"]),
        (among, &["Bar West", "Closed West"]),
        (reviewed, &[]),
        (
            with_keywords("west"),
            &["Bar West", "Closed West", "Sushi West"],
        ),
    ] {
        assert_eq!(count(&fixture, request.clone()).await, -1, "{request:?}");
        assert_eq!(names(&fixture, request).await, expected);
    }
}

#[tokio::test]
async fn a_list_of_nothing_counts_nothing() {
    let fixture = Fixture::with_restaurants().await;
    let request = ListListingsRequest {
        r#type: "restaurants".to_owned(),
        ..Default::default()
    };
    let answer = fixture.list(request).await.expect("answers");
    assert_eq!(answer.listings, []);
    let page = answer.page.expect("a page");
    assert_eq!((page.count, page.next_after), (0, None));
}

#[tokio::test]
async fn keywords_are_taken_literally_whatever_their_case_and_accents() {
    let fixture = Fixture::with_restaurants().await;
    let tricky = [
        "100% Pure",
        "a_b",
        r"back\slash",
        "plain",
        "Crêpe's",
        "😀 Café",
        "Bäckerei Straße",
        // An accent as a separate character.
        "Cafe\u{301} Noir",
        "ΨΆΡΙ",
        "Шашлык",
        "50％ off",
    ];
    let input = (0..).zip(tricky).map(|(number, name)| place(number, name));
    fixture.import(listings(input)).await;
    for (keywords, expected) in [
        ("%", vec!["100% Pure", "50％ off"]),
        ("_", vec!["a_b"]),
        (r"\", vec![r"back\slash"]),
        ("PLAIN", vec!["plain"]),
        ("CRÊPE'S", vec!["Crêpe's"]),
        ("😀", vec!["😀 Café"]),
        ("cafe", vec!["Cafe\u{301} Noir", "😀 Café"]),
        ("CAFÉ", vec!["Cafe\u{301} Noir", "😀 Café"]),
        ("cafe\u{301}", vec!["Cafe\u{301} Noir", "😀 Café"]),
        ("crepe's", vec!["Crêpe's"]),
        ("backerei strasse", vec!["Bäckerei Straße"]),
        ("ψαρ", vec!["ΨΆΡΙ"]),
        ("ШАШ", vec!["Шашлык"]),
        // One or two letters, which have no trigram.
        ("Ö", vec!["50％ off", "Cafe\u{301} Noir"]),
        ("ß", vec!["Bäckerei Straße"]),
        ("pl", vec!["plain"]),
        // Folding turns the full-width character into a wildcard, which is matched literally too.
        ("％ O", vec!["50％ off"]),
        ("5％o", vec![]),
        ("%%", vec![]),
        ("' OR 1=1 --", vec![]),
        ("  pure ", vec!["100% Pure"]),
    ] {
        assert_eq!(
            names(&fixture, with_keywords(keywords)).await,
            expected,
            "{keywords}"
        );
    }
    assert_eq!(
        names(&fixture, with_keywords(" ")).await.len(),
        tricky.len()
    );
}

#[tokio::test]
async fn what_no_list_has_is_a_field_error() {
    let fixture = Fixture::with_restaurants().await;
    for unknown in ["nowhere", "No Slug", "a\0b", "%", &"x".repeat(10_000)] {
        for (field, request) in [
            (
                "type",
                ListListingsRequest {
                    r#type: unknown.to_owned(),
                    ..all()
                },
            ),
            (
                "neighbourhood",
                ListListingsRequest {
                    neighbourhood: unknown.to_owned(),
                    ..all()
                },
            ),
        ] {
            let refusal = fixture.list(request).await.expect_err("refused");
            assert_eq!(refusal.code, Code::Invalid);
            assert_eq!(refusal.fields[0].field, field);
        }
    }
    for (field, page) in [
        (
            "ordering",
            PageRequest {
                ordering: "password_hash".to_owned(),
                ..page(10)
            },
        ),
        (
            "ordering",
            PageRequest {
                ordering: "source_id".to_owned(),
                ..page(10)
            },
        ),
        (
            "limit",
            PageRequest {
                limit: 101,
                ..page(10)
            },
        ),
        (
            "limit",
            PageRequest {
                limit: 0,
                ..page(10)
            },
        ),
        (
            "offset",
            PageRequest {
                offset: 10_001,
                ..page(10)
            },
        ),
        (
            "keywords",
            PageRequest {
                keywords: "a\0b".to_owned(),
                ..page(10)
            },
        ),
        (
            "keywords",
            PageRequest {
                keywords: "x".repeat(10_000),
                ..page(10)
            },
        ),
    ] {
        let request = ListListingsRequest {
            page: Some(page),
            ..Default::default()
        };
        assert_eq!(
            fixture.list(request).await.expect_err("refused").fields[0].field,
            field
        );
    }
    let request = ListListingsRequest {
        ids: (0..101).collect(),
        ..all()
    };
    assert_eq!(
        fixture.list(request).await.expect_err("refused").fields[0].field,
        "ids"
    );
    let request = ListListingsRequest {
        ids: vec![-1, 0, i64::MAX],
        ..all()
    };
    assert_eq!(fixture.list(request).await.expect("answers").listings, []);
}
