//! Lists: filters, orders, counts, and pages that contain each item once.

use chassis::{clock::Clock, error::Code};
use cityguide_proto::paging::v1::{Address, Block, PageRequest};
use editorial_proto::v1::{Kind, ListAddressesRequest, ListBlocksRequest, ListItemsRequest};
use testkit::calls::guest;

use crate::fixture::{Fixture, all, article, page, site_page, utc, video};

async fn newsroom() -> Fixture {
    let mut tagged = article("Patios", "food", 9);
    tagged.tags = vec!["Summer".to_owned()];
    tagged.authors = vec!["Bo Marsh".to_owned()];
    Fixture::with([
        article("Streetcars", "news", 5),
        article("Bridges", "news", 7),
        tagged,
        video("The last ferry"),
        site_page("Privacy", "privacy"),
    ])
    .await
}

#[tokio::test]
async fn a_list_holds_one_kind_the_newest_first_and_its_count_is_kept() {
    let fixture = newsroom().await;
    let listed = fixture.list(all(Kind::Article)).await.expect("answers");
    let names: Vec<_> = listed.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["Patios", "Bridges", "Streetcars"]);
    assert_eq!(listed.page.expect("a page").count, 3);
    let news = ListItemsRequest {
        section: "news".to_owned(),
        ..all(Kind::Article)
    };
    let listed = fixture.list(news).await.expect("answers");
    assert_eq!(
        (listed.items.len(), listed.page.expect("a page").count),
        (2, 2)
    );
    let nothing = ListItemsRequest {
        section: "sports".to_owned(),
        ..all(Kind::Article)
    };
    let listed = fixture.list(nothing).await.expect("answers");
    assert_eq!(
        (listed.items.len(), listed.page.expect("a page").count),
        (0, 0)
    );
}

#[tokio::test]
async fn filters_narrow_and_have_no_count() {
    let fixture = newsroom().await;
    let by = |change: fn(&mut ListItemsRequest)| {
        let mut request = all(Kind::Article);
        change(&mut request);
        request
    };
    for (request, expected) in [
        (by(|r| r.author = "bo-marsh".to_owned()), vec!["Patios"]),
        (
            by(|r| r.tag = "streetcars".to_owned()),
            vec!["Bridges", "Streetcars"],
        ),
        (
            by(|r| r.from = Some(chassis::instant::to_proto(utc("2026-01-07T12:00:00Z")))),
            vec!["Patios", "Bridges"],
        ),
        (
            by(|r| r.to = Some(chassis::instant::to_proto(utc("2026-01-07T12:00:00Z")))),
            vec!["Streetcars"],
        ),
    ] {
        let listed = fixture.list(request).await.expect("answers");
        let names: Vec<_> = listed.items.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, expected);
        assert_eq!(listed.page.expect("a page").count, -1);
    }
    let keywords = ListItemsRequest {
        page: Some(PageRequest {
            keywords: "%ridge".to_owned(),
            ..page(10)
        }),
        ..all(Kind::Article)
    };
    assert_eq!(
        fixture.names(keywords.clone()).await,
        Vec::<String>::new(),
        "taken literally"
    );
    for (words, expected) in [
        ("BRIDGE", vec!["Bridges"]),
        ("brídgès", vec!["Bridges"]),
        ("ri", vec!["Bridges"]),
    ] {
        let mut asked = keywords.clone();
        asked.page.get_or_insert_default().keywords = words.to_owned();
        assert_eq!(fixture.names(asked).await, expected, "{words}");
    }
}

#[tokio::test]
async fn a_filter_that_cannot_be_is_an_error_under_its_field() {
    let fixture = newsroom().await;
    let wrong = ListItemsRequest {
        section: "No Slug".to_owned(),
        ..all(Kind::Article)
    };
    let fault = fixture.list(wrong).await.expect_err("refused");
    assert_eq!(
        (fault.code, fault.fields[0].field.as_str()),
        (Code::Invalid, "section")
    );
    let order = ListItemsRequest {
        page: Some(PageRequest {
            ordering: "body_html".to_owned(),
            ..page(10)
        }),
        ..all(Kind::Article)
    };
    assert!(fixture.list(order).await.is_err());
}

#[tokio::test]
async fn a_walk_gives_each_article_once_whatever_comes_in_meanwhile() {
    let many = (1..=25).map(|number| article(&format!("Story {number:02}"), "news", number));
    let fixture = Fixture::with(many).await;
    for ordering in ["", "name", "-name"] {
        let mut seen = Vec::new();
        let mut after = String::new();
        for round in 0.. {
            let request = ListItemsRequest {
                page: Some(PageRequest {
                    ordering: ordering.to_owned(),
                    after: after.clone(),
                    ..page(7)
                }),
                ..all(Kind::Article)
            };
            let listed = fixture.list(request).await.expect("answers");
            seen.extend(listed.items.into_iter().map(|item| item.name));
            let late = article(&format!("Late {ordering}{round}"), "news", 28);
            fixture.import([late]).await;
            match listed.page.expect("a page").next_after {
                Some(next) => after = next,
                None => break,
            }
        }
        seen.retain(|name| name.starts_with("Story"));
        let mut once = seen.clone();
        once.sort();
        once.dedup();
        assert_eq!((seen.len(), once.len()), (25, 25), "{ordering}");
    }
}

#[tokio::test]
async fn an_offset_skips_what_the_pages_before_hold() {
    // Up to three items have the same date.
    let many = (0..10).map(|number| article(&format!("Story {number:02}"), "news", 1 + number / 3));
    let fixture = Fixture::with(many).await;
    for (ordering, keywords) in [("", ""), ("date_published", "stor"), ("-name", "0")] {
        let asked = |limit: u32, offset: u32| ListItemsRequest {
            page: Some(PageRequest {
                ordering: ordering.to_owned(),
                keywords: keywords.to_owned(),
                offset,
                ..page(limit)
            }),
            section: "news".to_owned(),
            ..all(Kind::Article)
        };
        let whole = fixture.names(asked(100, 0)).await;
        assert_eq!(whole.len(), 10, "{ordering}");
        for (number, expected) in (0..).zip(whole.chunks(4)) {
            let found = fixture.names(asked(4, 4 * number)).await;
            assert_eq!(found, expected, "{ordering} {number}");
        }
        assert!(fixture.names(asked(4, 10_000)).await.is_empty());
    }
}

async fn addresses(fixture: &Fixture, size: u32, number: u32) -> Vec<Address> {
    let request = ListAddressesRequest {
        kind: Kind::Article.into(),
        block: Some(Block { size, number }),
    };
    let found = fixture.client.clone().list_addresses(guest(request)).await;
    let found = found.expect("answers").into_inner();
    found.addresses
}

async fn paths(fixture: &Fixture, size: u32, number: u32) -> Vec<String> {
    let found = addresses(fixture, size, number).await;
    found.into_iter().map(|at| at.path).collect()
}

#[tokio::test]
async fn an_address_changes_when_its_item_is_published_or_changed_and_not_when_it_is_told_again() {
    let fixture = newsroom().await;
    let changed = async |path: &str| {
        let found = addresses(&fixture, chassis::blocks::MAX_SIZE, 0).await;
        let at = found.into_iter().find(|at| at.path == path);
        let at = at.expect("it stands there").changed_at.expect("an instant");
        chassis::instant::from_proto(&at).expect("an instant")
    };
    let published = utc("2026-01-07T12:00:00Z");
    assert_eq!(changed("/news/bridges/").await, published);
    fixture.import([article("Bridges", "news", 7)]).await;
    assert_eq!(changed("/news/bridges/").await, published);
    let mut longer = article("Bridges", "news", 7);
    longer.body_markdown.push_str(" And more.");
    fixture.import([longer]).await;
    assert_eq!(changed("/news/bridges/").await, fixture.parts.clock.now());
    assert_eq!(
        changed("/news/streetcars/").await,
        utc("2026-01-05T12:00:00Z")
    );
}

#[tokio::test]
async fn blocks_of_ids_name_every_published_address_of_a_kind_once() {
    let fixture = newsroom().await;
    let mut gone = article("Gone", "news", 1);
    gone.unpublished_at = Some(chassis::instant::to_proto(utc("2026-01-01T18:00:00Z")));
    fixture.import([gone]).await;
    let request = ListBlocksRequest {
        kind: Kind::Article.into(),
        size: 2,
    };
    let blocks = fixture.client.clone().list_blocks(guest(request)).await;
    let blocks = blocks.expect("answers").into_inner().numbers;
    let mut all = Vec::new();
    for number in &blocks {
        let paths = paths(&fixture, 2, *number).await;
        assert!(!paths.is_empty() && paths.len() <= 2, "{number}: {paths:?}");
        all.extend(paths);
    }
    all.sort();
    assert_eq!(
        all,
        ["/food/patios/", "/news/bridges/", "/news/streetcars/"]
    );
    // Blocks after the last id are empty, and block sizes are limited.
    assert!(paths(&fixture, 2, u32::MAX).await.is_empty());
    for size in [0, chassis::blocks::MAX_SIZE + 1] {
        let request = ListBlocksRequest {
            kind: Kind::Article.into(),
            size,
        };
        let refused = fixture.client.clone().list_blocks(guest(request)).await;
        let status = refused.expect_err("refused");
        assert_eq!(status.code(), tonic::Code::InvalidArgument);
    }
}
