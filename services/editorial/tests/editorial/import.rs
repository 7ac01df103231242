//! Imports: all or nothing, idempotent, with a report of each refusal.

use chassis::{clock::Clock as _, error::Code, instant};
use chrono::TimeDelta;
use cityguide_proto::intake::v1::Finish;
use editorial_proto::v1::{GetPageRequest, Kind, import_item::Detail};
use testkit::{calls, statements::Statements};

use crate::fixture::{Fixture, all, article, contest, event, site_page, utc, video};

pub(crate) fn one_of_each() -> Vec<editorial_proto::v1::ImportItem> {
    vec![
        article("A new streetcar", "news", 5),
        event(
            "Night market",
            "2026-06-01T18:00:00",
            "2026-06-01T23:00:00",
            "",
        ),
        contest(
            "Win a canoe",
            "2026-01-01T00:00:00Z",
            "2026-02-01T00:00:00Z",
        ),
        video("The last ferry"),
        site_page("Privacy", "privacy"),
    ]
}

#[tokio::test]
async fn every_kind_is_taken_and_the_second_time_changes_nothing() {
    let fixture = Fixture::new().await;
    let first = fixture.import(one_of_each()).await;
    assert!(first.applied);
    for kind in &first.kinds {
        let counts = kind.counts.expect("counts");
        assert_eq!((counts.created, counts.refused), (1, 0));
    }
    assert_eq!(fixture.published().await.len(), 5);
    let second = fixture.import(one_of_each()).await;
    for kind in &second.kinds {
        let counts = kind.counts.expect("counts");
        assert_eq!(
            (counts.created, counts.changed, counts.unchanged),
            (0, 0, 1)
        );
    }
    assert_eq!(
        fixture.published().await.len(),
        5,
        "unchanged items publish nothing"
    );
}

#[tokio::test]
async fn one_refusal_refuses_all_and_names_its_file_and_reason() {
    let fixture = Fixture::new().await;
    let mut bad = article("Bad", "news", 5);
    bad.section = String::new();
    let report = fixture.import([article("Good", "news", 5), bad]).await;
    assert!(!report.applied);
    assert_eq!(report.refusals[0].position, "bad.md");
    assert!(report.refusals[0].reason.contains("section"), "{report:?}");
    assert_eq!(
        fixture.names(all(Kind::Article)).await,
        Vec::<String>::new()
    );
    assert_eq!(fixture.published().await, []);
}

#[tokio::test]
async fn what_cannot_be_is_refused() {
    let fixture = Fixture::new().await;
    let mut cases = vec![
        event(
            "Backwards",
            "2026-06-01T18:00:00",
            "2026-06-01T17:00:00",
            "",
        ),
        event(
            "Sometimes",
            "2026-06-01T18:00:00",
            "2026-06-01T19:00:00",
            "FREQ=SOMETIMES",
        ),
        event("When", "tomorrow", "2026-06-01T19:00:00", ""),
        contest("Closed", "2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z"),
        article("", "news", 5),
        article("Somewhere", "No Slug", 5),
        article("In the way", "events", 5),
    ];
    let mut script = video("Script");
    if let Some(Detail::Video(video)) = &mut script.detail {
        video.url = "javascript:alert(1)".to_owned();
    }
    cases.push(script);
    let mut bare = video("Bare");
    bare.detail = None;
    cases.push(bare);
    let mut ended = article("Ended", "news", 5);
    ended.unpublished_at = ended.published_at;
    cases.push(ended);
    let mut moved = article("Moved", "news", 5);
    moved.moved_from = vec!["https://elsewhere.example/".to_owned()];
    cases.push(moved);
    let mut zero = article("Zero", "news", 5);
    zero.body_markdown = "What no table\0 takes".to_owned();
    cases.push(zero);
    let mut nowhere = event("Nowhere", "2026-06-01T18:00:00", "2026-06-01T19:00:00", "");
    if let Some(Detail::Event(event)) = &mut nowhere.detail {
        event.venue = "\0".to_owned();
    }
    cases.push(nowhere);
    for case in cases {
        let name = case.name.clone();
        let report = fixture.import([case]).await;
        assert_eq!(report.refusals.len(), 1, "{name}");
        assert!(!report.applied, "{name}");
    }
}

#[tokio::test]
async fn an_item_without_a_date_is_published_by_its_first_import_and_keeps_that_date() {
    let fixture = Fixture::new().await;
    let mut undated = article("Undated", "news", 5);
    undated.published_at = None;
    fixture.import([undated.clone()]).await;
    let first = instant::to_proto(fixture.parts.clock.now());
    fixture.parts.clock.advance(TimeDelta::days(1));
    let report = fixture.import([undated.clone()]).await;
    assert_eq!(report.changes, []);
    undated.name = "Still undated".to_owned();
    fixture.import([undated]).await;
    let listed = fixture.list(all(Kind::Article)).await.expect("answers");
    assert_eq!(listed.items[0].name, "Still undated");
    assert_eq!(listed.items[0].date_published, Some(first));
}

#[tokio::test]
async fn two_items_cannot_stand_at_one_path() {
    let fixture = Fixture::with([article("Pai", "food", 5)]).await;
    let mut other = article("Pai", "food", 6);
    other.source_id = "test:other".to_owned();
    let report = fixture.import([other]).await;
    assert!(
        report.refusals[0].reason.contains("/food/pai/"),
        "{report:?}"
    );
}

#[tokio::test]
async fn a_path_that_stays_is_not_looked_for_again() {
    let items = || (1..=5).map(|number| article(&format!("Article {number}"), "news", number));
    let fixture = Fixture::with(items()).await;
    let statements = Statements::count();
    fixture.import(items()).await;
    assert_eq!(statements.of("intake.find"), 5);
    assert_eq!(statements.of("intake.holder"), 0);
    let renamed = items().map(|mut item| {
        item.slug = format!("{}-renamed", item.slug);
        item
    });
    fixture.import(renamed).await;
    assert_eq!(statements.of("intake.holder"), 5);
}

#[tokio::test]
async fn a_dry_run_and_a_stream_that_breaks_off_change_nothing() {
    let fixture = Fixture::new().await;
    let dry = Finish {
        dry_run: true,
        all_or_nothing: true,
        ..Finish::default()
    };
    let report = fixture.import_with(one_of_each(), Some(dry)).await;
    let report = report.expect("reports");
    assert!(!report.applied && report.refusals.is_empty());
    assert_eq!(report.kinds.len(), 5);
    let broken = fixture.import_with(one_of_each(), None).await;
    assert_eq!(broken.expect_err("unfinished").code, Code::Invalid);
    assert_eq!(fixture.published().await, []);
}

#[tokio::test]
async fn guests_and_readers_import_nothing() {
    let fixture = Fixture::new().await;
    let stream = calls::guest(futures::stream::iter([]));
    let refused = fixture.client.clone().import(stream).await;
    assert!(refused.is_err());
}

#[tokio::test]
async fn a_page_that_moves_leaves_its_former_path_behind() {
    let fixture = Fixture::with([article("A new streetcar", "news", 5)]).await;
    let mut moved = article("A new streetcar", "culture", 5);
    let former = [
        "/stories/tram/",
        "/2013/01/11/%C3%89t%C3%A9",
        "/?page_id=17",
    ];
    moved.moved_from = former.map(str::to_owned).to_vec();
    fixture.import([moved]).await;
    let now = fixture
        .resolve("/culture/a-new-streetcar")
        .await
        .expect("there");
    assert!(!now.has_moved);
    for former in [
        "/news/a-new-streetcar/",
        "/stories/tram",
        "/2013/01/11/%c3%89t%c3%a9/",
        "/?p=17",
    ] {
        let found = fixture.resolve(former).await.expect("moved");
        assert!(found.has_moved, "{former}");
        assert_eq!(found.canonical, "/culture/a-new-streetcar/");
        assert_eq!(found.id, now.id);
    }
    // A new item can take a former path, which then stops redirecting.
    let mut other = article("A new streetcar", "news", 9);
    other.source_id = "test:taker".to_owned();
    fixture.import([other]).await;
    let taken = fixture
        .resolve("/news/a-new-streetcar/")
        .await
        .expect("there");
    assert!(!taken.has_moved && taken.id != now.id);
}

#[tokio::test]
async fn a_draft_is_shown_to_nobody_until_it_is_none() {
    let fixture = Fixture::new().await;
    let mut draft = article("A new streetcar", "news", 5);
    draft.is_draft = true;
    // The draft stays hidden even at an instant at which other items are published or unpublished.
    draft.unpublished_at = Some(instant::to_proto(utc("2026-12-01T00:00:00Z")));
    fixture.import([draft.clone()]).await;
    assert!(fixture.names(all(Kind::Article)).await.is_empty());
    assert!(fixture.resolve("/news/a-new-streetcar/").await.is_err());
    draft.is_draft = false;
    let report = fixture.import([draft.clone()]).await;
    assert_eq!(report.changes[0].fields, ["is_draft"]);
    assert_eq!(fixture.names(all(Kind::Article)).await, ["A new streetcar"]);
    draft.is_draft = true;
    fixture.import([draft]).await;
    assert!(fixture.names(all(Kind::Article)).await.is_empty());
}

#[tokio::test]
async fn an_item_whose_file_moves_stays_the_item_that_readers_saved() {
    let fixture = Fixture::with([article("A new streetcar", "news", 5)]).await;
    let before = fixture.only(Kind::Article).await;
    let renamed = || {
        let mut item = article("A new streetcar", "culture", 5);
        item.source_id = "test:culture/a-new-streetcar".to_owned();
        item.moved_from = vec!["/news/a-new-streetcar/".to_owned()];
        item
    };
    let report = fixture.import([renamed()]).await;
    assert_eq!(report.changes[0].fields, ["section", "moved_from"]);
    assert_eq!(fixture.only(Kind::Article).await.id, before.id);
    let found = fixture
        .resolve("/news/a-new-streetcar/")
        .await
        .expect("moved");
    assert_eq!(
        (found.id, found.canonical.as_str()),
        (before.id, "/culture/a-new-streetcar/")
    );
    assert_eq!(fixture.import([renamed()]).await.changes, []);
}

#[tokio::test]
async fn what_was_taken_over_is_not_brought_again_by_its_source() {
    let polled = || {
        let mut item = article("A new streetcar", "news", 5);
        (item.yields, item.is_draft) = (true, true);
        item
    };
    let fixture = Fixture::with([polled()]).await;
    let mut taken = article("A new streetcar at last", "news", 5);
    taken.moved_from = vec!["/news/a-new-streetcar/".to_owned()];
    fixture.import([taken]).await;
    let before = fixture.only(Kind::Article).await;
    let mut again = polled();
    again.excerpt = "Its source has changed it.".to_owned();
    let report = fixture.import([again]).await;
    let counts = report.kinds[0].counts.expect("counts");
    assert_eq!(
        (counts.created, counts.changed, counts.unchanged),
        (0, 0, 1)
    );
    assert_eq!(fixture.only(Kind::Article).await, before);
    let found = fixture
        .resolve("/news/a-new-streetcar/")
        .await
        .expect("moved");
    assert_eq!(found.id, before.id);
}

#[tokio::test]
async fn what_a_file_has_taken_over_survives_every_later_import() {
    let brought = |source_id: &str| {
        let mut item = article("A new streetcar", "news", 5);
        source_id.clone_into(&mut item.source_id);
        item.moved_from = vec!["/2013/a-new-streetcar/".to_owned()];
        item.yields = true;
        item
    };
    let file = || {
        let mut file = article("Our streetcar", "news", 5);
        file.source_id = "content:articles/news/our-streetcar".to_owned();
        file.moved_from = vec!["/news/a-new-streetcar/".to_owned()];
        file
    };
    // The file is imported after the first import or before it.
    for first in [vec![brought("old:1")], vec![]] {
        let fixture = Fixture::with(first).await;
        fixture.import([file()]).await;
        let before = fixture.only(Kind::Article).await;
        assert_eq!(before.name, "Our streetcar");
        // Another export of the same site uses another id for the article.
        for source_id in ["old:1", "old:2", "old:1"] {
            let report = fixture.import([brought(source_id)]).await;
            assert!(report.applied && report.refusals.is_empty(), "{report:?}");
            assert_eq!(fixture.only(Kind::Article).await, before);
            let found = fixture.resolve("/news/a-new-streetcar/").await;
            assert_eq!(found.expect("moved").id, before.id);
        }
    }
}

#[tokio::test]
async fn an_import_takes_neither_an_item_nor_an_address_of_the_content_folder() {
    let mut file = article("Our streetcar", "news", 5);
    file.source_id = "content:articles/news/our-streetcar".to_owned();
    file.moved_from = vec!["/2013/tram/".to_owned()];
    let mut other = article("Trams", "news", 6);
    other.yields = true;
    let fixture = Fixture::with([file, other.clone()]).await;
    let ours = fixture
        .resolve("/news/our-streetcar/")
        .await
        .expect("there");
    let mut brought = article("The streetcar", "news", 5);
    brought.yields = true;
    brought.moved_from = vec![
        "/news/our-streetcar/".to_owned(),
        "/2013/tram/".to_owned(),
        "/2013/streetcar/".to_owned(),
    ];
    let report = fixture.import([brought]).await;
    assert!(report.applied, "{report:?}");
    for (path, is_ours) in [
        ("/news/our-streetcar/", true),
        ("/2013/tram/", true),
        ("/2013/streetcar/", false),
    ] {
        let found = fixture.resolve(path).await.expect("found");
        assert_eq!(found.id == ours.id, is_ours, "{path}");
    }
    // An item that `yields` cannot move to a path that redirects to a content folder's item.
    let mut file = article("Buses", "news", 7);
    file.source_id = "content:articles/news/buses".to_owned();
    file.moved_from = vec!["/news/coaches/".to_owned()];
    fixture.import([file]).await;
    other.slug = "coaches".to_owned();
    let report = fixture.import([other]).await;
    assert!(!report.applied, "{report:?}");
    assert!(
        report.refusals[0].reason.contains("redirects to an item"),
        "{report:?}"
    );
}

#[tokio::test]
async fn a_file_that_moved_and_also_stayed_is_refused() {
    let fixture = Fixture::with([article("A new streetcar", "news", 5)]).await;
    let mut renamed = article("A new streetcar", "culture", 5);
    renamed.source_id = "test:culture/a-new-streetcar".to_owned();
    renamed.moved_from = vec!["/news/a-new-streetcar/".to_owned()];
    let both = fixture.import([renamed, article("A new streetcar", "news", 5)]);
    let report = both.await;
    assert_eq!(report.refusals.len(), 1);
    assert!(!report.applied);
}

#[tokio::test]
async fn text_is_rendered() {
    let fixture = Fixture::with([article("A new streetcar", "news", 5)]).await;
    let id = fixture.only(Kind::Article).await.id;
    let detail = fixture.get(Kind::Article, id, false).await.expect("there");
    assert_eq!(
        detail.body_html,
        "<p>All of <em>A new streetcar</em>.</p>\n"
    );
    let item = detail.item.expect("an item");
    assert_eq!(item.path, "/news/a-new-streetcar/");
    assert_eq!(item.authors[0].slug, "ada-king");
}

#[tokio::test]
async fn a_page_is_found_by_its_slug() {
    let fixture = Fixture::with([site_page("Privacy", "privacy")]).await;
    let get = async |slug: &str| {
        let request = GetPageRequest {
            slug: slug.to_owned(),
        };
        fixture.client.clone().get_page(calls::guest(request)).await
    };
    let page = get("privacy").await.expect("there").into_inner();
    assert_eq!(page.body_html, "<p>Words.</p>\n");
    assert!(get("nothing").await.is_err());
    assert_eq!(
        fixture.resolve("/privacy/").await.expect("there").kind(),
        Kind::Page
    );
}
