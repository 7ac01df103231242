//! Best-of lists: taken, ranked, walked and withdrawn.

use chassis::{
    clock::Clock,
    error::{Code, Fault},
    instant,
};
use chrono::TimeDelta;
use cityguide_proto::{
    intake::v1::{Finish, Report},
    paging::v1::PageRequest,
    places::v1::{
        BestOfDetail, GetBestOfRequest, ImportBestOfEntry, ImportBestOfList, ImportListing,
        Include, ListBestOfRequest, ListBestOfResponse, ListListingsRequest, ResolveRequest,
        import_request::Item, resolve_response::Kind,
    },
};
use testkit::calls;

use crate::bench::{Bench, counts, listings, page, place};

fn list(bench: &Bench, slug: &str, days_ago: i64, places: &[u32]) -> ImportBestOfList {
    let entry = |number: &u32| ImportBestOfEntry {
        position: format!("best-of/{slug}.md, line {number}"),
        listing_source_id: format!("test:{number}"),
        text_markdown: format!("*Number {number}*<script>alert()</script>"),
    };
    let date = bench.parts.clock.now() - TimeDelta::days(days_ago);
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

async fn bench() -> Bench {
    let bench = Bench::with_restaurants().await;
    let names = ["Pai", "Lena", "Akai", "Beau"];
    let places = names
        .iter()
        .zip(1..)
        .map(|(name, number)| place(number, name));
    bench.import(listings(places)).await;
    bench
}

async fn take(bench: &Bench, lists: impl IntoIterator<Item = ImportBestOfList>) -> Report {
    bench.import(lists.into_iter().map(Item::BestOfList)).await
}

async fn detail(bench: &Bench, slug: &str) -> Result<BestOfDetail, Fault> {
    let slug = slug.to_owned();
    let request = calls::guest(GetBestOfRequest { slug });
    Ok(bench
        .client
        .clone()
        .get_best_of(request)
        .await?
        .into_inner())
}

async fn lists(bench: &Bench, page: PageRequest) -> Result<ListBestOfResponse, Fault> {
    let request = calls::guest(ListBestOfRequest {
        page: Some(page),
        ids: Vec::new(),
    });
    Ok(bench
        .client
        .clone()
        .list_best_of(request)
        .await?
        .into_inner())
}

#[tokio::test]
async fn a_list_ranks_places_which_show_where_they_stand() {
    let bench = bench().await;
    let report = take(
        &bench,
        [
            list(&bench, "ramen", 2, &[3, 1]),
            list(&bench, "patios", 1, &[2, 4, 1]),
        ],
    )
    .await;
    assert_eq!(report.refusals, []);
    assert_eq!(counts(&report, "best-of lists"), (2, 0, 0, 0));

    let ramen = detail(&bench, "ramen").await.expect("there");
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

    let pai = bench.by_name().await["Pai"].clone();
    let rankings: Vec<_> = pai
        .rankings
        .iter()
        .map(|ranking| (ranking.slug.as_str(), ranking.rank))
        .collect();
    assert_eq!(rankings, [("patios", 3), ("ramen", 2)]);
    let beside = bench.detail(pai.id, &[Include::BestOf]).await.best_of;
    let beside: Vec<_> = beside.iter().map(|list| list.slug.as_str()).collect();
    assert_eq!(beside, ["patios", "ramen"]);

    let filtered = ListListingsRequest {
        best_of: "patios".to_owned(),
        ..ListListingsRequest::default()
    };
    let filtered = bench.list(filtered).await.expect("answers");
    assert_eq!(filtered.listings.len(), 3);
    assert_eq!(filtered.page.expect("a page").count, -1);
    for slug in ["poutine", "Patios!"] {
        let unknown = bench.list(ListListingsRequest {
            best_of: slug.to_owned(),
            ..ListListingsRequest::default()
        });
        let refusal = unknown.await.expect_err("refused");
        assert_eq!(refusal.fields[0].field, "best_of");
    }
    let request = ResolveRequest {
        path: "/best-of/ramen".to_owned(),
    };
    let found = bench.client.clone().resolve(calls::guest(request)).await;
    let found = found.expect("found").into_inner();
    assert_eq!((found.kind(), found.id), (Kind::BestOfList, card.id));
}

#[tokio::test]
async fn taking_a_list_again_changes_what_differs_and_tells_of_the_places_it_touches() {
    let bench = bench().await;
    take(&bench, [list(&bench, "ramen", 2, &[3, 1])]).await;
    let told = bench.told().await.len();
    let again = take(&bench, [list(&bench, "ramen", 2, &[3, 1])]).await;
    assert_eq!(counts(&again, "best-of lists"), (0, 0, 1, 0));
    assert_eq!(bench.told().await.len(), told);

    let changed = take(&bench, [list(&bench, "ramen", 2, &[3, 2])]).await;
    assert_eq!(counts(&changed, "best-of lists"), (0, 1, 0, 0));
    assert_eq!(changed.changes[0].fields, ["places"]);
    let mut names: Vec<_> = bench.told().await.split_off(told);
    names.sort_by(|one, other| one.name.cmp(&other.name));
    let names: Vec<_> = names.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["Akai", "Lena", "Pai"]);
    assert!(bench.by_name().await["Pai"].rankings.is_empty());
}

#[tokio::test]
async fn a_withdrawn_list_is_shown_nowhere_and_can_come_back() {
    let bench = bench().await;
    take(&bench, [list(&bench, "ramen", 2, &[3, 1])]).await;
    let id = detail(&bench, "ramen")
        .await
        .expect("there")
        .list
        .expect("a list")
        .id;
    let withdrawn = ImportBestOfList {
        is_withdrawn: true,
        ..list(&bench, "ramen", 2, &[3, 1])
    };
    take(&bench, [withdrawn]).await;
    let gone = detail(&bench, "ramen").await.expect_err("withdrawn");
    assert_eq!(gone.code, Code::NotFound);
    let all = lists(&bench, page(10)).await.expect("answers");
    assert_eq!((all.lists.len(), all.page.expect("a page").count), (0, 0));
    let pai = bench.by_name().await["Pai"].clone();
    assert!(pai.rankings.is_empty());
    assert!(
        bench
            .detail(pai.id, &[Include::BestOf])
            .await
            .best_of
            .is_empty()
    );
    take(&bench, [list(&bench, "ramen", 2, &[3, 1])]).await;
    let back = detail(&bench, "ramen").await.expect("there");
    assert_eq!(back.list.expect("a list").id, id);
}

#[tokio::test]
async fn what_a_list_cannot_rank_is_refused_with_its_line() {
    let bench = bench().await;
    let mut same_slug = list(&bench, "ramen", 1, &[2]);
    same_slug.source_id = "content:best-of/other".to_owned();
    let report = take(
        &bench,
        [
            list(&bench, "ramen", 1, &[1]),
            list(&bench, "unknown", 1, &[1, 9]),
            list(&bench, "twice", 1, &[1, 1]),
            list(&bench, "nothing", 1, &[]),
            list(&bench, "No slug", 1, &[1]),
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
    let bench = bench().await;
    let input = |dry_run| {
        let items = [
            Item::Listing(ImportListing {
                ..place(9, "Brand new")
            }),
            Item::BestOfList(list(&bench, "news", 1, &[9])),
        ];
        let finish = Finish {
            dry_run,
            all_or_nothing: true,
            ..Finish::default()
        };
        bench.import_with(items, finish)
    };
    let foreseen = input(true).await;
    assert!(foreseen.refusals.is_empty() && !foreseen.applied);
    assert!(detail(&bench, "news").await.is_err());
    assert!(input(false).await.applied);
    assert_eq!(
        detail(&bench, "news").await.expect("there").entries.len(),
        1
    );
}

#[tokio::test]
async fn following_next_gives_each_list_once_in_order_though_others_come_in_between() {
    for ordering in ["-date_published", "date_published", "name", "-name"] {
        let bench = bench().await;
        let some = (0..7).map(|number| list(&bench, &format!("l{number}"), number / 2, &[1]));
        take(&bench, some).await;
        let request = |limit, after: &str| PageRequest {
            ordering: ordering.to_owned(),
            after: after.to_owned(),
            ..page(limit)
        };
        let whole = lists(&bench, request(50, "")).await.expect("answers");
        let expected: Vec<i64> = whole.lists.iter().map(|list| list.id).collect();
        let (mut walked, mut after) = (Vec::new(), String::new());
        for number in 10.. {
            let answer = lists(&bench, request(2, &after)).await.expect("answers");
            walked.extend(answer.lists.iter().map(|list| list.id));
            let Some(next) = answer.page.expect("a page").next_after else {
                break;
            };
            after = next;
            take(&bench, [list(&bench, &format!("a{number}"), 99, &[1])]).await;
        }
        walked.retain(|id| expected.contains(id));
        assert_eq!(walked, expected, "{ordering}");
    }
    let bench = bench().await;
    let with_keywords = PageRequest {
        keywords: "RAM%".to_owned(),
        ..page(5)
    };
    take(&bench, [list(&bench, "ramen", 1, &[1])]).await;
    let none = lists(&bench, with_keywords.clone()).await.expect("answers");
    assert_eq!(
        (none.lists.len(), none.page.expect("a page").count),
        (0, -1)
    );
    let found = PageRequest {
        keywords: "RAM".to_owned(),
        ..with_keywords
    };
    assert_eq!(lists(&bench, found).await.expect("answers").lists.len(), 1);
    let made_up = PageRequest {
        after: "bm9uc2Vuc2U".to_owned(),
        ..page(5)
    };
    let refusal = lists(&bench, made_up).await.expect_err("refused");
    assert_eq!(refusal.code, Code::Invalid);
}
