//! Lists: filters, orders, counts, and a walk that gives each item once.

use chassis::error::Code;
use cityguide_proto::{
    editorial::v1::{Kind, ListItemsRequest},
    paging::v1::PageRequest,
};

use crate::bench::{Bench, all, article, page, site_page, utc, video};

async fn newsroom() -> Bench {
    let mut tagged = article("Patios", "food", 9);
    tagged.tags = vec!["Summer".to_owned()];
    tagged.authors = vec!["Bo Marsh".to_owned()];
    Bench::with([
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
    let bench = newsroom().await;
    let listed = bench.list(all(Kind::Article)).await.expect("answers");
    let names: Vec<_> = listed.items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["Patios", "Bridges", "Streetcars"]);
    assert_eq!(listed.page.expect("a page").count, 3);
    let news = ListItemsRequest {
        section: "news".to_owned(),
        ..all(Kind::Article)
    };
    let listed = bench.list(news).await.expect("answers");
    assert_eq!(
        (listed.items.len(), listed.page.expect("a page").count),
        (2, 2)
    );
    let nothing = ListItemsRequest {
        section: "sports".to_owned(),
        ..all(Kind::Article)
    };
    let listed = bench.list(nothing).await.expect("answers");
    assert_eq!(
        (listed.items.len(), listed.page.expect("a page").count),
        (0, 0)
    );
}

#[tokio::test]
async fn filters_narrow_and_have_no_count() {
    let bench = newsroom().await;
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
        let listed = bench.list(request).await.expect("answers");
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
        bench.names(keywords).await,
        Vec::<String>::new(),
        "taken literally"
    );
}

#[tokio::test]
async fn a_filter_that_cannot_be_is_an_error_under_its_field() {
    let bench = newsroom().await;
    let wrong = ListItemsRequest {
        section: "No Slug".to_owned(),
        ..all(Kind::Article)
    };
    let fault = bench.list(wrong).await.expect_err("refused");
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
    assert!(bench.list(order).await.is_err());
}

#[tokio::test]
async fn a_walk_gives_each_article_once_whatever_comes_in_meanwhile() {
    let many = (1..=25).map(|number| article(&format!("Story {number:02}"), "news", number));
    let bench = Bench::with(many).await;
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
            let listed = bench.list(request).await.expect("answers");
            seen.extend(listed.items.into_iter().map(|item| item.name));
            let late = article(&format!("Late {ordering}{round}"), "news", 28);
            bench.import([late]).await;
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
