//! Best-of lists: imported, ranked, read page by page and withdrawn.

use chassis::{
    clock::Clock,
    error::{Code, Fault},
    instant,
};
use chrono::TimeDelta;
use cityguide_proto::{
    intake::v1::{Finish, Report},
    paging::v1::PageRequest,
};
use places_proto::v1::{
    BestOfDetail, GetBestOfRequest, ImportBestOfEntry, ImportBestOfList, ImportListing,
    ImportReview, Include, ListBestOfRequest, ListBestOfResponse, ListListingsRequest,
    ResolveRequest, import_request::Item, resolve_response::Kind,
};
use testkit::calls;

use crate::fixture::{Fixture, counts, listings, page, place};

fn list(fixture: &Fixture, slug: &str, days_ago: i64, places: &[u32]) -> ImportBestOfList {
    let entry = |number: &u32| ImportBestOfEntry {
        position: format!("best-of/{slug}.md, line {number}"),
        listing_source_id: format!("test:{number}"),
        text_markdown: format!("*Number {number}*<script>alert()</script>"),
    };
    let date = fixture.parts.clock.now() - TimeDelta::days(days_ago);
    ImportBestOfList {
        position: format!("best-of/{slug}.md"),
        source_id: format!("content:best-of/{slug}"),
        slug: slug.to_owned(),
        name: format!("The best {slug}"),
        intro_markdown: "We **ate** it all.".to_owned(),
        image_url: Some("/media/ramen.svg".to_owned()),
        date_published: Some(instant::to_proto(date)),
        is_withdrawn: false,
        entries: places.iter().map(entry).collect(),
    }
}

async fn fixture() -> Fixture {
    let fixture = Fixture::with_restaurants().await;
    let names = ["Pai", "Lena", "Akai", "Beau"];
    let places = names
        .iter()
        .zip(1..)
        .map(|(name, number)| place(number, name));
    fixture.import(listings(places)).await;
    fixture
}

async fn take(fixture: &Fixture, lists: impl IntoIterator<Item = ImportBestOfList>) -> Report {
    fixture
        .import(lists.into_iter().map(Item::BestOfList))
        .await
}

async fn detail(fixture: &Fixture, slug: &str) -> Result<BestOfDetail, Fault> {
    let slug = slug.to_owned();
    let request = calls::guest(GetBestOfRequest { slug });
    Ok(fixture
        .client
        .clone()
        .get_best_of(request)
        .await?
        .into_inner())
}

async fn lists(fixture: &Fixture, page: PageRequest) -> Result<ListBestOfResponse, Fault> {
    let request = calls::guest(ListBestOfRequest {
        page: Some(page),
        ids: Vec::new(),
    });
    Ok(fixture
        .client
        .clone()
        .list_best_of(request)
        .await?
        .into_inner())
}

#[tokio::test]
async fn the_line_is_the_publishers_or_from_the_latest_list_or_the_reviews_first_sentence() {
    let fixture = fixture().await;
    let review = |number, line: Option<&str>| {
        Item::Listing(ImportListing {
            line: line.map(str::to_owned),
            review: Some(ImportReview {
                body_markdown: "## Inside\n\nIt is *quiet*. It is dark.".to_owned(),
                author: "Ada".to_owned(),
                date: "2026-05-01".to_owned(),
            }),
            ..place(number, &format!("Place {number}"))
        })
    };
    let own = review(1, Some("Go for the soup."));
    fixture
        .import([own, review(2, None), review(3, None)])
        .await;
    let older = list(&fixture, "older", 2, &[1, 2]);
    let mut latest = list(&fixture, "latest", 1, &[2, 4]);
    latest.entries[0].text_markdown = "Cloudy wine. Clear *opinions*.".to_owned();
    latest.entries[1].text_markdown = String::new();
    take(&fixture, [older, latest]).await;

    let listed = fixture.by_name().await;
    let line = |name: &str| listed[name].line.as_deref();
    assert_eq!(line("Place 1"), Some("Go for the soup."));
    assert_eq!(line("Place 2"), Some("Cloudy wine. Clear opinions."));
    assert_eq!(line("Place 3"), Some("It is quiet."));
    assert_eq!(line("Beau"), None);

    let lists = lists(&fixture, page(10)).await.expect("lists");
    assert_eq!(lists.lists[0].line, "We ate it all.");
}

#[tokio::test]
async fn a_list_ranks_places_which_show_where_they_stand() {
    let fixture = fixture().await;
    let report = take(
        &fixture,
        [
            list(&fixture, "ramen", 2, &[3, 1]),
            list(&fixture, "patios", 1, &[2, 4, 1]),
        ],
    )
    .await;
    assert_eq!(report.refusals, []);
    assert_eq!(counts(&report, "best-of lists"), (2, 0, 0, 0));

    let ramen = detail(&fixture, "ramen").await.expect("there");
    let card = ramen.list.expect("a list");
    assert_eq!((card.name.as_str(), card.count), ("The best ramen", 2));
    assert_eq!(card.intro_html, "<p>We <strong>ate</strong> it all.</p>\n");
    let ranked: Vec<_> = ramen
        .entries
        .iter()
        .map(|entry| {
            let place = entry.listing.as_ref().expect("a place");
            (entry.rank, place.name.as_str(), entry.text_html.trim())
        })
        .collect();
    assert_eq!(
        ranked,
        [
            (1, "Akai", "<p><em>Number 3</em>alert()</p>"),
            (2, "Pai", "<p><em>Number 1</em>alert()</p>"),
        ]
    );

    let pai = fixture.by_name().await["Pai"].clone();
    let rankings: Vec<_> = pai
        .rankings
        .iter()
        .map(|ranking| (ranking.slug.as_str(), ranking.rank))
        .collect();
    assert_eq!(rankings, [("patios", 3), ("ramen", 2)]);
    let beside = fixture.detail(pai.id, &[Include::BestOf]).await.best_of;
    let beside: Vec<_> = beside.iter().map(|list| list.slug.as_str()).collect();
    assert_eq!(beside, ["patios", "ramen"]);

    let filtered = ListListingsRequest {
        best_of: "patios".to_owned(),
        ..ListListingsRequest::default()
    };
    let filtered = fixture.list(filtered).await.expect("answers");
    assert_eq!(filtered.listings.len(), 3);
    assert_eq!(filtered.page.expect("a page").count, -1);
    for slug in ["poutine", "Patios!"] {
        let unknown = fixture.list(ListListingsRequest {
            best_of: slug.to_owned(),
            ..ListListingsRequest::default()
        });
        let refusal = unknown.await.expect_err("refused");
        assert_eq!(refusal.fields[0].field, "best_of");
    }
    let request = ResolveRequest {
        path: "/best-of/ramen".to_owned(),
    };
    let found = fixture.client.clone().resolve(calls::guest(request)).await;
    let found = found.expect("found").into_inner();
    assert_eq!((found.kind(), found.id), (Kind::BestOfList, card.id));
}

#[tokio::test]
async fn taking_a_list_again_changes_what_differs_and_tells_of_the_places_it_touches() {
    let fixture = fixture().await;
    take(&fixture, [list(&fixture, "ramen", 2, &[3, 1])]).await;
    let published = fixture.published().await.len();
    let again = take(&fixture, [list(&fixture, "ramen", 2, &[3, 1])]).await;
    assert_eq!(counts(&again, "best-of lists"), (0, 0, 1, 0));
    assert_eq!(fixture.published().await.len(), published);

    let changed = take(&fixture, [list(&fixture, "ramen", 2, &[3, 2])]).await;
    assert_eq!(counts(&changed, "best-of lists"), (0, 1, 0, 0));
    assert_eq!(changed.changes[0].fields, ["places"]);
    let mut names: Vec<_> = fixture.published().await.split_off(published);
    names.sort_by(|one, other| one.name.cmp(&other.name));
    let names: Vec<_> = names.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["Akai", "Lena", "Pai"]);
    assert!(fixture.by_name().await["Pai"].rankings.is_empty());
}

#[tokio::test]
async fn a_withdrawn_list_is_shown_nowhere_and_can_come_back() {
    let fixture = fixture().await;
    take(&fixture, [list(&fixture, "ramen", 2, &[3, 1])]).await;
    let id = detail(&fixture, "ramen")
        .await
        .expect("there")
        .list
        .expect("a list")
        .id;
    let withdrawn = ImportBestOfList {
        is_withdrawn: true,
        ..list(&fixture, "ramen", 2, &[3, 1])
    };
    take(&fixture, [withdrawn]).await;
    let gone = detail(&fixture, "ramen").await.expect_err("withdrawn");
    assert_eq!(gone.code, Code::NotFound);
    let all = lists(&fixture, page(10)).await.expect("answers");
    assert_eq!((all.lists.len(), all.page.expect("a page").count), (0, 0));
    let pai = fixture.by_name().await["Pai"].clone();
    assert!(pai.rankings.is_empty());
    assert!(
        fixture
            .detail(pai.id, &[Include::BestOf])
            .await
            .best_of
            .is_empty()
    );
    take(&fixture, [list(&fixture, "ramen", 2, &[3, 1])]).await;
    let back = detail(&fixture, "ramen").await.expect("there");
    assert_eq!(back.list.expect("a list").id, id);
}

#[tokio::test]
async fn what_a_list_cannot_rank_is_refused_with_its_line() {
    let fixture = fixture().await;
    let mut same_slug = list(&fixture, "ramen", 1, &[2]);
    same_slug.source_id = "content:best-of/other".to_owned();
    let report = take(
        &fixture,
        [
            list(&fixture, "ramen", 1, &[1]),
            list(&fixture, "unknown", 1, &[1, 9]),
            list(&fixture, "twice", 1, &[1, 1]),
            list(&fixture, "nothing", 1, &[]),
            list(&fixture, "No slug", 1, &[1]),
            same_slug,
        ],
    )
    .await;
    assert_eq!(counts(&report, "best-of lists"), (1, 0, 0, 5));
    let reasons: Vec<_> = report
        .refusals
        .iter()
        .map(|refusal| refusal.reason.as_str())
        .collect();
    assert_eq!(
        reasons,
        [
            "there is no place test:9 (best-of/unknown.md, line 9)",
            "test:1 is ranked twice (best-of/twice.md, line 1)",
            "a best-of list ranks 1 to 100 places, not 0",
            "the slug \"No slug\" is no slug",
            "another list has the slug \"ramen\"",
        ]
    );
}

#[tokio::test]
async fn places_of_the_same_input_can_be_ranked_and_a_dry_run_keeps_nothing() {
    let fixture = fixture().await;
    let input = |dry_run| {
        let items = [
            Item::Listing(ImportListing {
                ..place(9, "Brand new")
            }),
            Item::BestOfList(list(&fixture, "news", 1, &[9])),
        ];
        let finish = Finish {
            dry_run,
            all_or_nothing: true,
            ..Finish::default()
        };
        fixture.import_with(items, finish)
    };
    let foreseen = input(true).await;
    assert!(foreseen.refusals.is_empty() && !foreseen.applied);
    assert!(detail(&fixture, "news").await.is_err());
    assert!(input(false).await.applied);
    assert_eq!(
        detail(&fixture, "news").await.expect("there").entries.len(),
        1
    );
}

#[tokio::test]
async fn following_next_gives_each_list_once_in_order_though_others_come_in_between() {
    for ordering in ["-date_published", "date_published", "name", "-name"] {
        let fixture = fixture().await;
        let some = (0..7).map(|number| list(&fixture, &format!("l{number}"), number / 2, &[1]));
        take(&fixture, some).await;
        let request = |limit, after: &str| PageRequest {
            ordering: ordering.to_owned(),
            after: after.to_owned(),
            ..page(limit)
        };
        let whole = lists(&fixture, request(50, "")).await.expect("answers");
        let expected: Vec<i64> = whole.lists.iter().map(|list| list.id).collect();
        let (mut walked, mut after) = (Vec::new(), String::new());
        for number in 10.. {
            let answer = lists(&fixture, request(2, &after)).await.expect("answers");
            walked.extend(answer.lists.iter().map(|list| list.id));
            let Some(next) = answer.page.expect("a page").next_after else {
                break;
            };
            after = next;
            take(&fixture, [list(&fixture, &format!("a{number}"), 99, &[1])]).await;
        }
        walked.retain(|id| expected.contains(id));
        assert_eq!(walked, expected, "{ordering}");
    }
    let fixture = fixture().await;
    let with_keywords = PageRequest {
        keywords: "RAM%".to_owned(),
        ..page(5)
    };
    take(&fixture, [list(&fixture, "ramen", 1, &[1])]).await;
    let none = lists(&fixture, with_keywords.clone())
        .await
        .expect("answers");
    assert_eq!(
        (none.lists.len(), none.page.expect("a page").count),
        (0, -1)
    );
    let found = PageRequest {
        keywords: "RAM".to_owned(),
        ..with_keywords
    };
    assert_eq!(
        lists(&fixture, found).await.expect("answers").lists.len(),
        1
    );
    let made_up = PageRequest {
        after: "bm9uc2Vuc2U".to_owned(),
        ..page(5)
    };
    let refusal = lists(&fixture, made_up).await.expect_err("refused");
    assert_eq!(refusal.code, Code::Invalid);
}
