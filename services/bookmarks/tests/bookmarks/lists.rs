//! The list of a reader's bookmarks.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chassis::error::Code;
use chrono::TimeDelta;
use cityguide_proto::paging::v1::PageRequest;

use crate::fixture::{ADA, BOB, Fixture, page, summary};

const NAMES: [&str; 7] = [
    "Zebra",
    "éclair",
    "apple",
    "Apple",
    "Banana",
    "100% Pure",
    "a_b",
];

/// A fixture whose reader has saved all places, two at each instant.
async fn keeping_all() -> Fixture {
    let fixture = Fixture::knowing(&NAMES).await;
    for listing_id in 1..=7 {
        fixture.create(ADA, listing_id).await.expect("kept");
        if listing_id % 2 == 0 {
            fixture.parts.clock.advance(TimeDelta::seconds(1));
        }
    }
    fixture.create(BOB, 1).await.expect("kept");
    fixture
}

fn ordered(ordering: &str, limit: u32) -> PageRequest {
    PageRequest {
        ordering: ordering.to_owned(),
        ..page(limit)
    }
}

async fn names(fixture: &Fixture, page: PageRequest) -> Vec<String> {
    let list = fixture.list(ADA, page).await.expect("answers");
    list.bookmarks
        .into_iter()
        .map(|favourite| favourite.target_name)
        .collect()
}

#[tokio::test]
async fn the_newest_comes_first_or_the_order_is_that_of_names() {
    let fixture = keeping_all().await;
    let mut newest_first = NAMES.to_vec();
    newest_first.reverse();
    assert_eq!(names(&fixture, page(100)).await, newest_first);
    assert_eq!(names(&fixture, ordered("date_created", 100)).await, NAMES);
    let by_name = names(&fixture, ordered("name", 100)).await;
    assert_eq!(by_name.last().map(String::as_str), Some("Zebra"));
    assert_eq!(by_name[by_name.len() - 2], "éclair");
    let mut reversed = names(&fixture, ordered("-name", 100)).await;
    reversed.reverse();
    assert_eq!(reversed, by_name);
}

#[tokio::test]
async fn an_offset_skips_in_every_order_what_the_pages_before_hold() {
    let fixture = keeping_all().await;
    for (ordering, keywords) in [
        ("-date_created", ""),
        ("date_created", ""),
        ("name", ""),
        ("-date_created", "a"),
    ] {
        let asked = |limit: u32, offset: u32| PageRequest {
            keywords: keywords.to_owned(),
            offset,
            ..ordered(ordering, limit)
        };
        let whole = names(&fixture, asked(100, 0)).await;
        assert!(whole.len() > 4, "{ordering}");
        for (number, expected) in (0..).zip(whole.chunks(2)) {
            let found = names(&fixture, asked(2, 2 * number)).await;
            assert_eq!(found, expected, "{ordering} {number}");
        }
        assert!(names(&fixture, asked(2, 10_000)).await.is_empty());
    }
}

#[tokio::test]
async fn following_next_gives_each_once_in_every_order_though_some_go_in_between() {
    for ordering in ["-date_created", "date_created", "name", "-name"] {
        let fixture = keeping_all().await;
        let whole = fixture
            .list(ADA, ordered(ordering, 100))
            .await
            .expect("answers")
            .bookmarks;
        let mut walked = Vec::new();
        let mut request = ordered(ordering, 2);
        loop {
            let list = fixture.list(ADA, request.clone()).await.expect("answers");
            let ids: Vec<i64> = list
                .bookmarks
                .iter()
                .map(|favourite| favourite.id)
                .collect();
            let Some(after) = list.page.expect("a page").next_after else {
                walked.extend(ids);
                break;
            };
            // Removes the items seen so far: with only an offset, the next page would skip items.
            for id in &ids {
                fixture.delete(ADA, *id).await.expect("removed");
            }
            walked.extend(ids);
            request.offset += 2;
            request.after = after;
        }
        let expected: Vec<i64> = whole.iter().map(|favourite| favourite.id).collect();
        assert_eq!(walked, expected, "{ordering}");
    }
}

#[tokio::test]
async fn the_count_is_exact_but_for_keywords() {
    let fixture = keeping_all().await;
    let count = async |page: PageRequest| {
        fixture
            .list(ADA, page)
            .await
            .expect("answers")
            .page
            .expect("a page")
            .count
    };
    assert_eq!(count(page(2)).await, 7);
    assert_eq!(
        count(PageRequest {
            offset: 100,
            ..page(2)
        })
        .await,
        7
    );
    assert_eq!(
        count(PageRequest {
            keywords: "a".to_owned(),
            ..page(2)
        })
        .await,
        -1
    );
    let first = fixture.list(ADA, page(1)).await.expect("answers").bookmarks[0].id;
    fixture.delete(ADA, first).await.expect("removed");
    assert_eq!(count(page(2)).await, 6);
}

#[tokio::test]
async fn keywords_are_taken_literally_whatever_their_case_and_accents() {
    let fixture = keeping_all().await;
    for (keywords, expected) in [
        ("%", vec!["100% Pure"]),
        ("_", vec!["a_b"]),
        (r"\", vec![]),
        ("APPLE", vec!["Apple", "apple"]),
        ("ÉCLAIR", vec!["éclair"]),
        ("eclair", vec!["éclair"]),
        ("ápp", vec!["Apple", "apple"]),
        ("ZE", vec!["Zebra"]),
    ] {
        let request = PageRequest {
            keywords: keywords.to_owned(),
            ..page(100)
        };
        assert_eq!(names(&fixture, request).await, expected, "{keywords}");
    }
}

#[tokio::test]
async fn what_has_been_unpublished_or_renamed_is_listed_as_last_heard() {
    let fixture = Fixture::knowing(&["Pai", "Lena"]).await;
    fixture.create(ADA, 1).await.expect("kept");
    fixture.create(ADA, 2).await.expect("kept");
    fixture
        .hear(vec![
            summary(1, "Pai", false, 2),
            summary(2, "Lena's", true, 2),
        ])
        .await;
    let list = fixture
        .list(ADA, ordered("date_created", 10))
        .await
        .expect("answers")
        .bookmarks;
    let shown: Vec<_> = list
        .iter()
        .map(|favourite| (favourite.target_name.as_str(), favourite.is_available))
        .collect();
    assert_eq!(shown, [("Pai", false), ("Lena's", true)]);
}

#[tokio::test]
async fn what_no_list_has_is_a_field_error() {
    let fixture = keeping_all().await;
    let made_up = |ordering: &str, key: &str| {
        let after = serde_json::json!([ordering, key, 1]).to_string();
        PageRequest {
            after: BASE64_URL_SAFE_NO_PAD.encode(after),
            ..ordered(ordering, 10)
        }
    };
    for (field, page) in [
        ("ordering", ordered("profile_id", 10)),
        ("limit", page(101)),
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
            "after",
            PageRequest {
                after: "nonsense".to_owned(),
                ..page(10)
            },
        ),
        ("after", made_up("-date_created", "yesterday")),
        ("after", made_up("-date_created", "infinity")),
        ("after", made_up("name", "a\0b")),
    ] {
        let refusal = fixture.list(ADA, page.clone()).await.expect_err("refused");
        assert_eq!(refusal.code, Code::Invalid, "{page:?}: {refusal}");
        assert_eq!(refusal.fields[0].field, field);
    }
}
