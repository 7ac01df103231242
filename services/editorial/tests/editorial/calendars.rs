//! Events as in calendars: cancelled events, additional occurrences, and occurrences replaced by other events.

use chrono::{DateTime, Utc};
use cityguide_proto::intake::v1::{Counts, Report};
use editorial_proto::v1::{
    Event, GetCalendarEventsRequest, ImportItem, Item, Kind, ReplacedOccurrence,
    import_item::Detail, item,
};
use testkit::calls;

use crate::fixture::{Fixture, all, event, utc};

const SERIES: &str = "ical:drawing";

/// Every Monday evening.
fn series() -> ImportItem {
    let rule = "FREQ=WEEKLY;COUNT=4";
    ImportItem {
        source_id: SERIES.to_owned(),
        ..event(
            "Drawing",
            "2026-12-07T19:00:00",
            "2026-12-07T21:00:00",
            rule,
        )
    }
}

/// Makes an item replace an occurrence of the series.
fn instead(item: ImportItem, starts: &str, zone: &str) -> ImportItem {
    ImportItem {
        replaces: Some(ReplacedOccurrence {
            series: SERIES.to_owned(),
            starts_local: starts.to_owned(),
            zone: zone.to_owned(),
        }),
        ..item
    }
}

fn moved() -> ImportItem {
    let (starts, ends) = ("2026-12-15T18:00:00", "2026-12-15T20:00:00");
    let tuesday = event("Drawing on Tuesday", starts, ends, "");
    instead(tuesday, "2026-12-15T00:00:00", "UTC")
}

fn cancelled(source_id: &str) -> ImportItem {
    ImportItem {
        source_id: source_id.to_owned(),
        kind: Kind::Event.into(),
        is_cancelled: true,
        ..ImportItem::default()
    }
}

fn called_off() -> ImportItem {
    instead(
        cancelled("ical:drawing#16"),
        "2026-12-21T19:00:00",
        "America/Toronto",
    )
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

fn event_of(item: &Item) -> &Event {
    match &item.detail {
        Some(item::Detail::Event(event)) => event,
        other => panic!("no event: {other:?}"),
    }
}

/// The starts of an event's occurrences.
async fn starts(fixture: &Fixture, name: &str) -> Vec<DateTime<Utc>> {
    let listed = fixture.list(all(Kind::Event)).await.expect("answers").items;
    let found = listed
        .iter()
        .find(|item| item.name == name)
        .expect("it is listed");
    let detail = fixture
        .get(Kind::Event, found.id, false)
        .await
        .expect("answers");
    let starts = detail
        .occurrences
        .iter()
        .filter_map(|one| one.starts_at.as_ref());
    starts.filter_map(chassis::instant::from_proto).collect()
}

#[tokio::test]
async fn others_take_the_place_of_occurrences_in_whatever_order_they_come() {
    for items in [
        [series(), moved(), called_off()],
        [called_off(), moved(), series()],
        [moved(), series(), called_off()],
    ] {
        let fixture = Fixture::new().await;
        let first = fixture.import(items.clone()).await;
        assert!(first.applied);
        let left = [utc("2026-12-08T00:00:00Z"), utc("2026-12-29T00:00:00Z")];
        assert_eq!(starts(&fixture, "Drawing").await, left);
        assert_eq!(
            starts(&fixture, "Drawing on Tuesday").await,
            [utc("2026-12-15T23:00:00Z")]
        );
        let again = fixture.import(items.clone()).await;
        assert_eq!(counts(&again), (0, 0, 3, 0), "{again:?}");
        // If a later file contains only the series, these occurrences stay replaced.
        let alone = fixture.import([series()]).await;
        assert_eq!(counts(&alone), (0, 0, 1, 0), "{alone:?}");
        assert_eq!(starts(&fixture, "Drawing").await, left);
    }
}

#[tokio::test]
async fn an_occurrence_that_is_called_off_later_changes_its_series() {
    let fixture = Fixture::with([series()]).await;
    let mut connection = fixture.parts.database.connection().await;
    let before = fixture.published().await.len();
    let report = fixture.import([called_off()]).await;
    assert_eq!(counts(&report), (0, 1, 0, 0));
    assert_eq!(report.changes[0].fields, ["exceptions"]);
    assert_eq!(starts(&fixture, "Drawing").await.len(), 3);
    let published = fixture.published().await;
    assert_eq!(published.len(), before + 1, "its change is published");
    assert_eq!(
        event_of(&fixture.only(Kind::Event).await).exceptions,
        ["2026-12-21T19:00:00"]
    );

    // A series has at most a thousand replaced occurrences.
    let many = "INSERT INTO editorial.replaced_occurrences (series, starts, zone)
        SELECT 'ical:drawing', timestamp '2030-01-01' + n * interval '1 day', 'UTC' FROM generate_series(1, 999) n";
    sqlx::raw_sql(many)
        .execute(&mut connection)
        .await
        .expect("inserts");
    let report = fixture.import([moved(), called_off()]).await;
    assert!(!report.applied);
    assert!(
        report.refusals[0]
            .reason
            .contains("more than 1000 occurrences"),
        "{report:?}"
    );
    assert_eq!(
        report.refusals.len(),
        1,
        "one that is known already is taken"
    );
}

#[tokio::test]
async fn a_cancelled_event_is_on_the_site_no_longer_and_calendars_are_told() {
    let once = event("Concert", "2026-12-06T19:00:00", "2026-12-06T22:00:00", "");
    let fixture = Fixture::with([once.clone()]).await;
    let id = fixture.only(Kind::Event).await.id;
    let cancel = [cancelled(&once.source_id), cancelled("test:unknown")];
    let report = fixture.import(cancel.clone()).await;
    assert_eq!(counts(&report), (0, 1, 1, 0));
    assert_eq!(report.changes[0].fields, ["unpublished"]);
    assert_eq!(fixture.names(all(Kind::Event)).await, Vec::<String>::new());
    assert!(
        !fixture
            .published()
            .await
            .pop()
            .expect("an event")
            .is_available
    );
    let request = GetCalendarEventsRequest { ids: vec![id] };
    let mut client = fixture.client.clone();
    let found = client.get_calendar_events(calls::guest(request)).await;
    let found = found.expect("answers").into_inner().events;
    assert!(found[0].is_unpublished);

    let again = fixture.import(cancel).await;
    assert_eq!(counts(&again), (0, 0, 2, 0));
    // The cancelled event is imported again without its cancellation.
    let report = fixture.import([once]).await;
    assert_eq!(report.changes[0].fields, ["unpublished"]);
    assert_eq!(fixture.only(Kind::Event).await.id, id);
}

#[tokio::test]
async fn an_event_that_was_cancelled_before_it_was_published_never_is() {
    let to_come = ImportItem {
        published_at: Some(chassis::instant::to_proto(utc("2026-12-01T12:00:00Z"))),
        ..event("Concert", "2026-12-06T19:00:00", "2026-12-06T22:00:00", "")
    };
    let fixture = Fixture::with([to_come.clone()]).await;
    let report = fixture.import([cancelled(&to_come.source_id)]).await;
    assert_eq!(counts(&report), (0, 1, 0, 0));
    let again = fixture.import([cancelled(&to_come.source_id)]).await;
    assert_eq!(counts(&again), (0, 0, 1, 0));
    let due = "SELECT count(*) FROM editorial.items WHERE is_live OR next_turn_at IS NOT NULL";
    assert_eq!(fixture.parts.database.number(due).await, 0);
}

#[tokio::test]
async fn days_that_are_added_are_occurrences() {
    let mut shanties = event("Shanties", "2026-12-07T19:00:00", "2026-12-07T21:00:00", "");
    let Some(Detail::Event(detail)) = &mut shanties.detail else {
        panic!("an event");
    };
    detail.additions = ["2026-12-20T19:00:00", "2026-12-13T10:00:00"]
        .map(str::to_owned)
        .to_vec();
    let fixture = Fixture::with([shanties]).await;
    assert_eq!(
        starts(&fixture, "Shanties").await,
        [
            utc("2026-12-08T00:00:00Z"),
            utc("2026-12-13T15:00:00Z"),
            utc("2026-12-21T00:00:00Z"),
        ]
    );
    let item = fixture.only(Kind::Event).await;
    assert_eq!(
        event_of(&item).additions,
        ["2026-12-20T19:00:00", "2026-12-13T10:00:00"]
    );
}
