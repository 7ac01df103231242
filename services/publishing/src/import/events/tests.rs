//! schema.org events with the date, status and offer formats of real sites.

use serde_json::json;

use super::*;

const ZONE: Tz = chrono_tz::America::Toronto;

fn event(fields: &Value) -> (ImportItem, Event) {
    let mut thing =
        json!({"@type": "Event", "name": "Jazz", "startDate": "2024-05-09T23:00:00.000Z"});
    for (name, value) in fields.as_object().expect("fields") {
        thing[name] = value.clone();
    }
    let item = proposal("line 1", &thing, ZONE).expect("an event");
    match item.detail.clone() {
        Some(Detail::Event(event)) => (item, event),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_event_has_its_time_place_and_price() {
    let (item, event) = event(&json!({
        "endDate": "2024-05-10T01:30:00.000Z",
        "url": "https://a.example/jazz",
        "description": "Come <b>early</b>.",
        "keywords": ["Live Performances", "Jazz &amp; Blues", "jazz-blues"],
        "location": {"name": "The Hall", "address": {"streetAddress": "814 Bloor St W"}},
        "offers": [{"price": 15, "priceCurrency": "CAD"}, {"price": "20.50"}]}));
    assert_eq!(event.starts_local, "2024-05-09T19:00:00");
    assert_eq!(event.ends_local, "2024-05-09T21:30:00");
    assert_eq!(
        (event.venue.as_str(), event.address.as_str()),
        ("The Hall", "814 Bloor St W")
    );
    assert_eq!((event.price.as_str(), event.is_free), ("$15–$20.50", false));
    assert_eq!(event.category, "live-performances");
    assert_eq!(item.tags, ["Live Performances", "Jazz & Blues"]);
    assert_eq!(item.body_markdown, "Come **early**.");
    assert_eq!(item.excerpt, "Come early .");
    assert!(item.slug.starts_with("jazz-2024-05-09-"), "{}", item.slug);
}

#[test]
fn days_and_times_are_told_apart() {
    for (starts, ends, expected) in [
        (
            "2024-05-09",
            None,
            ("2024-05-09T00:00:00", "2024-05-10T00:00:00", true),
        ),
        (
            "2024-05-09",
            Some("2024-05-11"),
            ("2024-05-09T00:00:00", "2024-05-12T00:00:00", true),
        ),
        // The first and last minutes of days, in the city's time zone.
        (
            "2024-05-09T04:00:00Z",
            Some("2024-05-11T03:59:00Z"),
            ("2024-05-09T00:00:00", "2024-05-11T00:00:00", true),
        ),
        (
            "2024-05-09T20:00",
            None,
            ("2024-05-09T20:00:00", "2024-05-09T20:00:00", false),
        ),
        (
            "2024-05-09T20:00",
            Some("2024-05-09T06:00"),
            ("2024-05-09T20:00:00", "2024-05-09T20:00:00", false),
        ),
        (
            "2024-05-09T20:00:00-0400",
            Some("2024-05-09T24:00:00-04:00"),
            ("2024-05-09T20:00:00", "2024-05-10T00:00:00", false),
        ),
        (
            "2024-05-09 20:00:00.5",
            Some("2024-05-09 22:30 -0400"),
            ("2024-05-09T20:00:00", "2024-05-09T22:30:00", false),
        ),
        (
            "2024-05-09t20:00-04",
            Some("2024-05-09T24:00"),
            ("2024-05-09T20:00:00", "2024-05-10T00:00:00", false),
        ),
        (
            "2024-05-09T20:00-04:00",
            Some("2024-05-09"),
            ("2024-05-09T20:00:00", "2024-05-10T00:00:00", false),
        ),
    ] {
        let ends = ends.map_or(Value::Null, Value::from);
        let (_, event) = event(&json!({"startDate": starts, "endDate": ends}));
        let found = (
            event.starts_local.as_str(),
            event.ends_local.as_str(),
            event.is_all_day,
        );
        assert_eq!(found, expected, "{starts}");
    }
}

#[test]
fn the_same_event_has_the_same_id_and_another_night_another() {
    let id = |fields: Value| event(&fields).0.source_id;
    assert_eq!(id(json!({})), id(json!({"description": "More"})));
    assert_ne!(
        id(json!({})),
        id(json!({"startDate": "2024-05-10T23:00:00Z"}))
    );
    assert_ne!(id(json!({})), id(json!({"url": "https://a.example/"})));
    assert_eq!(
        id(json!({"@id": "https://a.example/1"})),
        "event:https://a.example/1"
    );
}

#[test]
fn what_does_not_take_place_at_its_time_is_cancelled() {
    let read = |status: &Value| {
        let thing = json!({"@type": "Event", "@id": "https://a.example/1", "name": "Jazz",
            "startDate": "2024-05-09T20:00", "eventStatus": status});
        let item = proposal("line 1", &thing, ZONE).expect("an event");
        assert_eq!(item.source_id, "event:https://a.example/1");
        item.is_cancelled
    };
    for off in [
        json!("https://schema.org/EventCancelled"),
        json!("EventPostponed"),
        json!({"@id": "schema:EventCancelled"}),
        json!(["EventMovedOnline", "http://schema.org/EventPostponed"]),
    ] {
        assert!(read(&off), "{off}");
    }
    for on in [
        json!("EventScheduled"),
        json!("https://schema.org/EventRescheduled"),
        Value::Null,
    ] {
        assert!(!read(&on), "{on}");
    }
}

#[test]
fn what_is_free_has_no_price() {
    for fields in [
        json!({"isAccessibleForFree": true}),
        json!({"offers": {"price": "0"}}),
        json!({"offers": {"lowPrice": 0, "highPrice": 0}}),
    ] {
        let (_, event) = event(&fields);
        assert!(event.is_free && event.price.is_empty(), "{fields}");
    }
    let (_, event) = event(&json!({"offers": {"price": 12, "priceCurrency": "EUR"}}));
    assert_eq!(event.price, "12 EUR");
}

#[test]
fn what_is_no_event_or_has_no_start_is_refused_with_the_reason() {
    for (thing, reason) in [
        (
            json!({"@type": "Organization", "startDate": "2024-05-09"}),
            "it is no event, but \"Organization\"",
        ),
        (
            json!({"@type": "Event", "startDate": "soon"}),
            "its startDate \"soon\" is no date",
        ),
        (
            json!({"@type": "Event", "name": "x"}),
            "its startDate \"\" is no date",
        ),
        (json!(5), "it is no event, but null"),
    ] {
        let refused = proposal("line 1", &thing, ZONE);
        assert_eq!(refused.expect_err("refused"), reason);
    }
    for kind in [json!("MusicEvent"), json!(["Thing", "Festival"])] {
        let (_, event) = event(&json!({"@type": kind}));
        assert!(!event.starts_local.is_empty());
    }
}
