//! An event that two sources publish is stored once and stays with the first source.

use cityguide_proto::intake::v1::{Counts, Finish, Report};
use editorial_proto::v1::{ImportItem, Kind, ReplacedOccurrence, import_item::Detail};

use crate::fixture::{Fixture, all, event};

const STARTS: &str = "2026-12-07T19:00:00";
const ENDS: &str = "2026-12-07T21:00:00";

/// An event from a source, with its source id, name and page.
fn of_source(source_id: &str, name: &str, website: &str) -> ImportItem {
    let mut item = ImportItem {
        source_id: source_id.to_owned(),
        slug: chassis::slug::from_name(source_id),
        yields: true,
        ..event(name, STARTS, ENDS, "")
    };
    let Some(Detail::Event(detail)) = &mut item.detail else {
        panic!("an event");
    };
    website.clone_into(&mut detail.website);
    item
}

fn counts(report: &Report) -> (u32, u32, u32, u32) {
    let [kind] = &report.kinds[..] else {
        panic!("one kind: {report:?}");
    };
    let Counts {
        created,
        changed,
        unchanged,
        refused,
    } = kind.counts.expect("counts");
    (created, changed, unchanged, refused)
}

#[tokio::test]
async fn the_same_event_of_two_sources_is_one_whichever_is_imported_again() {
    let city = of_source(
        "city:1",
        "Jazz & Blues",
        "https://www.hall.example/jazz/?utm_source=city",
    );
    let mut hall = of_source("hall:jazz", "JAZZ and blues", "http://hall.example/jazz");
    hall.excerpt = "More than the city knows.".to_owned();
    let fixture = Fixture::with([city.clone()]).await;
    for _ in 0..2 {
        assert_eq!(counts(&fixture.import([hall.clone()]).await), (0, 0, 1, 0));
        assert_eq!(counts(&fixture.import([city.clone()]).await), (0, 0, 1, 0));
    }
    let only = fixture.only(Kind::Event).await;
    assert_eq!(
        (only.name.as_str(), only.excerpt.as_str()),
        ("Jazz & Blues", "")
    );

    // Later changes from the second source do not affect the event, which stays with the first source.
    let Some(Detail::Event(detail)) = &mut hall.detail else {
        panic!("an event");
    };
    detail.starts_local = "2026-12-07T18:00:00".to_owned();
    let called_off = ImportItem {
        is_cancelled: true,
        ..of_source("hall:jazz", "", "")
    };
    assert_eq!(counts(&fixture.import([hall]).await), (0, 0, 1, 0));
    assert_eq!(counts(&fixture.import([called_off]).await), (0, 0, 1, 0));
    assert_eq!(fixture.only(Kind::Event).await, only);
}

#[tokio::test]
async fn two_in_one_input_are_two_and_a_dry_run_says_what_is_one() {
    let items = [
        of_source("a:1", "Jazz", "https://hall.example/jazz"),
        of_source("b:1", "Jazz", "https://city.example/1"),
        of_source("b:2", "Blues", "https://hall.example/jazz"),
    ];
    let fixture = Fixture::new().await;
    let finish = Finish {
        dry_run: true,
        ..Finish::default()
    };
    let tried = fixture.import_with(items.clone(), Some(finish)).await;
    assert_eq!(counts(&tried.expect("imports")), (3, 0, 0, 0));
    assert_eq!(counts(&fixture.import(items.clone()).await), (3, 0, 0, 0));
    assert_eq!(counts(&fixture.import(items).await), (0, 0, 3, 0));
    assert_eq!(fixture.names(all(Kind::Event)).await.len(), 3);
    let other = [of_source("c:1", "Jazz", "https://hall.example/jazz")];
    let tried = fixture.import_with(other, Some(finish)).await;
    assert_eq!(counts(&tried.expect("imports")), (0, 0, 1, 0));
}

#[tokio::test]
async fn what_the_site_publishes_itself_yields_to_nobody_and_others_to_it() {
    let own = ImportItem {
        yields: false,
        ..of_source("content:events/jazz", "Jazz", "")
    };
    let fixture = Fixture::with([of_source("a:1", "Jazz", "")]).await;
    assert_eq!(counts(&fixture.import([own]).await), (1, 0, 0, 0));
    assert_eq!(
        counts(&fixture.import([of_source("b:1", "Jazz", "")]).await),
        (0, 0, 1, 0)
    );
}

#[tokio::test]
async fn the_changed_days_of_a_series_of_another_source_are_of_it_too() {
    let series = |source_id: &str| {
        let mut item = of_source(source_id, "Drawing", "");
        let Some(Detail::Event(detail)) = &mut item.detail else {
            panic!("an event");
        };
        detail.recurrence = "FREQ=WEEKLY;COUNT=4".to_owned();
        item
    };
    let moved = ImportItem {
        replaces: Some(ReplacedOccurrence {
            series: "b:1".to_owned(),
            starts_local: "2026-12-14T19:00:00".to_owned(),
            zone: "America/Toronto".to_owned(),
        }),
        ..of_source("b:1#2", "Drawing in the park", "")
    };
    let fixture = Fixture::with([series("a:1")]).await;
    let report = fixture.import([series("b:1"), moved]).await;
    assert_eq!(counts(&report), (0, 0, 2, 0));
    let item = fixture.only(Kind::Event).await;
    let detail = fixture
        .get(Kind::Event, item.id, false)
        .await
        .expect("answers");
    assert_eq!(detail.occurrences.len(), 4);
}
