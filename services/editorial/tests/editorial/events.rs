//! Events: listed by their next occurrence, within a window, over clock changes.

use chassis::{
    error::{Code, Fault},
    instant,
};
use chrono::{DateTime, TimeDelta, Utc};
use editorial_proto::v1::{
    Event, GetCalendarEventsRequest, ImportItem, Item, Kind, ListItemsRequest, item::Detail,
};
use testkit::calls;

use crate::fixture::{Fixture, all, article, event, utc};

fn event_of(item: &Item) -> &Event {
    match &item.detail {
        Some(Detail::Event(event)) => event,
        other => panic!("no event: {other:?}"),
    }
}

fn starts(item: &Item) -> DateTime<Utc> {
    let occurrence = event_of(item).occurrence.as_ref().expect("an occurrence");
    let at = occurrence.starts_at.as_ref().expect("a start");
    instant::from_proto(at).expect("an instant")
}

/// A fixture whose clock is set to an instant.
async fn bench_at(now: &str) -> Fixture {
    let fixture = Fixture::new().await;
    let clock = &fixture.parts.clock;
    clock.advance(utc(now) - chassis::clock::Clock::now(clock.as_ref()));
    fixture
}

fn market() -> ImportItem {
    let rule = "FREQ=WEEKLY;BYDAY=SU";
    event("Market", "2026-01-04T09:00:00", "2026-01-04T14:00:00", rule)
}

#[tokio::test]
async fn a_list_holds_what_is_still_on_in_the_order_of_its_next_start() {
    let fixture = bench_at("2026-03-07T12:00:00Z").await;
    fixture
        .import([
            market(),
            event("Over", "2026-03-06T18:00:00", "2026-03-06T20:00:00", ""),
            event("On now", "2026-03-07T06:00:00", "2026-03-07T10:00:00", ""),
            event("Later", "2026-03-20T18:00:00", "2026-03-20T20:00:00", ""),
        ])
        .await;
    let listed = fixture.list(all(Kind::Event)).await.expect("answers").items;
    let names: Vec<_> = listed.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["On now", "Market", "Later"]);
    // On the Sunday of the clock change, nine o'clock local time is an hour earlier in UTC than the day before.
    assert_eq!(starts(&listed[1]), utc("2026-03-08T13:00:00Z"));
    assert_eq!(event_of(&listed[1]).zone, "America/Toronto");
    let mut second = all(Kind::Event);
    second.page.get_or_insert_default().offset = 1;
    let skipped = fixture.list(second).await.expect("answers").items;
    assert_eq!(skipped, listed[1..]);
}

#[tokio::test]
async fn a_window_shows_the_first_occurrence_within_it() {
    let fixture = bench_at("2026-03-07T12:00:00Z").await;
    fixture.import([market()]).await;
    let window = ListItemsRequest {
        from: Some(instant::to_proto(utc("2026-11-01T00:00:00Z"))),
        to: Some(instant::to_proto(utc("2026-11-08T00:00:00Z"))),
        ..all(Kind::Event)
    };
    let listed = fixture.list(window).await.expect("answers").items;
    assert_eq!(starts(&listed[0]), utc("2026-11-01T14:00:00Z"));
    let between = ListItemsRequest {
        from: Some(instant::to_proto(utc("2026-11-02T00:00:00Z"))),
        to: Some(instant::to_proto(utc("2026-11-07T00:00:00Z"))),
        ..all(Kind::Event)
    };
    assert_eq!(fixture.names(between).await, Vec::<String>::new());
}

#[tokio::test]
async fn filters_are_by_category_neighbourhood_and_price() {
    let fixture = bench_at("2026-03-07T12:00:00Z").await;
    fixture.import([market()]).await;
    let by = |change: fn(&mut ListItemsRequest)| {
        let mut request = all(Kind::Event);
        change(&mut request);
        request
    };
    for (request, found) in [
        (by(|r| r.category = "music".to_owned()), 1),
        (by(|r| r.category = "film".to_owned()), 0),
        (by(|r| r.neighbourhood = "the-annex".to_owned()), 1),
        (by(|r| r.neighbourhood = "leslieville".to_owned()), 0),
        (by(|r| r.is_free = Some(true)), 1),
        (by(|r| r.is_free = Some(false)), 0),
    ] {
        assert_eq!(fixture.names(request).await.len(), found);
    }
}

#[tokio::test]
async fn an_event_tells_its_occurrences_to_come_and_its_last_when_it_is_over() {
    let fixture = bench_at("2026-03-07T12:00:00Z").await;
    let rule = "FREQ=DAILY;COUNT=3";
    fixture
        .import([event(
            "Fair",
            "2026-03-07T10:00:00",
            "2026-03-07T18:00:00",
            rule,
        )])
        .await;
    let id = fixture.only(Kind::Event).await.id;
    let detail = fixture.get(Kind::Event, id, false).await.expect("there");
    assert_eq!(detail.occurrences.len(), 3);
    fixture.parts.clock.advance(TimeDelta::days(30));
    let over = fixture.get(Kind::Event, id, false).await.expect("there");
    assert_eq!(over.occurrences, []);
    assert_eq!(
        starts(&over.item.expect("an item")),
        utc("2026-03-09T14:00:00Z")
    );
    assert_eq!(fixture.names(all(Kind::Event)).await, Vec::<String>::new());
}

#[tokio::test]
async fn events_by_id_are_told_with_their_next_occurrence_or_their_last() {
    let fixture = bench_at("2026-03-07T12:00:00Z").await;
    let report = fixture
        .import([
            market(),
            event("Over", "2026-03-06T18:00:00", "2026-03-06T20:00:00", ""),
            event("On now", "2026-03-07T06:00:00", "2026-03-09T10:00:00", ""),
        ])
        .await;
    assert_eq!(report.refusals, []);
    let ids = [1, 2, 3];
    let found = fixture.among(Kind::Event, &ids).await.expect("answers");
    let mut event_of: Vec<_> = found
        .iter()
        .map(|item| (item.name.as_str(), starts(item)))
        .collect();
    event_of.sort_unstable();
    let expected = [
        ("Market", utc("2026-03-08T13:00:00Z")),
        ("On now", utc("2026-03-07T11:00:00Z")),
        ("Over", utc("2026-03-06T23:00:00Z")),
    ];
    assert_eq!(event_of, expected);
}

#[tokio::test]
async fn calendars_are_told_of_events_that_were_unpublished_and_of_none_that_is_to_come() {
    let soon = event("Soon", "2026-03-01T19:00:00", "2026-03-01T22:00:00", "");
    let to_come = ImportItem {
        published_at: Some(instant::to_proto(utc("2036-01-01T00:00:00Z"))),
        ..event("To come", "2036-03-01T19:00:00", "2036-03-01T22:00:00", "")
    };
    let fixture = Fixture::with([soon.clone(), to_come, article("Tram", "news", 2)]).await;
    let event_of = async || {
        let request = GetCalendarEventsRequest {
            ids: (1..=20).collect(),
        };
        let mut client = fixture.client.clone();
        let found = client.get_calendar_events(calls::guest(request)).await;
        found.expect("answers").into_inner().events
    };
    let [there] = &event_of().await[..] else {
        panic!("one event");
    };
    assert!(!there.is_unpublished);
    assert_eq!(
        there.item.as_ref().map(|item| item.name.as_str()),
        Some("Soon")
    );
    let published = there.date_changed.as_ref().and_then(instant::from_proto);
    assert_eq!(published, Some(utc("2026-01-02T12:00:00Z")));

    fixture
        .import([ImportItem {
            unpublished_at: Some(instant::to_proto(utc("2026-01-03T12:00:00Z"))),
            ..soon
        }])
        .await;
    let [gone] = &event_of().await[..] else {
        panic!("it is still listed");
    };
    assert!(gone.is_unpublished);
    assert!(gone.date_changed.as_ref().and_then(instant::from_proto) > published);
    let Some(Detail::Event(event)) = gone.item.clone().and_then(|item| item.detail) else {
        panic!("an event");
    };
    assert_eq!(event.sequence, 1);

    let many = GetCalendarEventsRequest {
        ids: (1..=101).collect(),
    };
    let mut client = fixture.client.clone();
    let refused = client.get_calendar_events(calls::guest(many)).await;
    let refused = Fault::from(refused.expect_err("too many"));
    assert_eq!(refused.code, Code::Invalid);
}
