//! Tests that parse the generated files.

use editorial_proto::v1::Event;
use icalendar::{Calendar, CalendarComponent, DatePerhapsTime};

use super::*;

fn item(event: Event) -> Item {
    Item {
        id: 7,
        slug: "night-market".to_owned(),
        name: "Night market; noodles, lights".to_owned(),
        path: "/events/night-market/".to_owned(),
        excerpt: "Bring cash.\r\nBring \\ friends.".to_owned(),
        detail: Some(Detail::Event(event)),
        ..Item::default()
    }
}

fn weekly() -> Event {
    Event {
        zone: "America/Toronto".to_owned(),
        starts_local: "2026-03-01T19:00:00".to_owned(),
        ends_local: "2026-03-01T23:30:00".to_owned(),
        recurrence: "FREQ=WEEKLY;UNTIL=20261201T045959Z".to_owned(),
        exceptions: vec!["2026-03-15T19:00:00".to_owned()],
        venue: "The yard".to_owned(),
        address: "5 King Street; rear".to_owned(),
        category: "market".to_owned(),
        sequence: 3,
        ..Event::default()
    }
}

fn text(event: Event) -> String {
    let event = CalendarEvent::new(item(event)).expect("an event");
    let site = Origin::parse("https://guide.example:8443").expect("an origin");
    event.file(&site, "2026-02-01T10:00:00Z".parse().expect("an instant"))
}

fn read(text: &str) -> icalendar::Event {
    let calendar: Calendar = text.parse().expect("a calendar");
    let events = calendar.components.into_iter();
    let mut events = events.filter_map(|component| match component {
        CalendarComponent::Event(event) => Some(event),
        _ => None,
    });
    events.next().expect("an event")
}

fn local(at: &str, tzid: &str) -> DatePerhapsTime {
    DatePerhapsTime::DateTime(CalendarDateTime::WithTimezone {
        date_time: at.parse().expect("a local time"),
        tzid: tzid.to_owned(),
    })
}

#[test]
fn a_reader_of_the_file_finds_what_the_event_is() {
    let text = text(weekly());
    let event = read(&text);
    assert_eq!(event.get_uid(), Some("event-7@guide.example"));
    assert_eq!(event.get_sequence(), Some(3));
    assert_eq!(event.get_summary(), Some("Night market; noodles, lights"));
    assert_eq!(
        event.get_description(),
        Some("Bring cash.\nBring \\ friends.")
    );
    assert_eq!(event.get_location(), Some("The yard, 5 King Street; rear"));
    let page = "https://guide.example:8443/events/night-market/";
    assert_eq!(event.get_url(), Some(page));
    let zone = "America/Toronto";
    assert_eq!(event.get_start(), Some(local("2026-03-01T19:00:00", zone)));
    assert_eq!(event.get_end(), Some(local("2026-03-01T23:30:00", zone)));
    let rule = Some("FREQ=WEEKLY;UNTIL=20261201T045959Z");
    assert_eq!(event.property_value("RRULE"), rule);
    let revised = event.get_timestamp().expect("a stamp").to_rfc3339();
    assert_eq!(revised, "2026-02-01T10:00:00+00:00");
    assert!(text.contains("EXDATE;TZID=America/Toronto:20260315T190000\r\n"));
    assert!(text.contains("BEGIN:VTIMEZONE\r\nTZID:America/Toronto\r\n"));
}

#[test]
fn lines_end_as_they_must_and_are_no_longer_than_75_bytes() {
    let mut event = weekly();
    event.venue = "Där über dem See ".repeat(30);
    let text = text(event);
    for line in text.split_terminator("\r\n") {
        assert!(line.len() <= 75 && !line.contains(['\r', '\n']), "{line:?}");
    }
    let place = "Där über dem See ".repeat(30) + ", 5 King Street; rear";
    assert_eq!(read(&text).get_location(), Some(place.as_str()));
    assert!(text.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:"));
    assert!(text.ends_with("END:VEVENT\r\nEND:VCALENDAR\r\n"));
}

/// The time zone component and the recurrence rule together match local time in the city.
#[test]
fn a_recurring_event_keeps_its_hour_over_both_clock_changes() {
    let text = text(weekly());
    let rule = |name: &str| {
        let at = text.find(name).expect("a line");
        text[at + name.len()..]
            .lines()
            .next()
            .expect("a line")
            .to_owned()
    };
    let zone = rule("TZID=");
    let lines: Vec<_> = ["DTSTART;TZID=", "EXDATE;TZID="]
        .map(|name| format!("{name}{}", rule(name)))
        .into();
    let set: rrule::RRuleSet = format!(
        "{}\nRRULE:{}\n{}",
        lines[0], "FREQ=WEEKLY;UNTIL=20261201T045959Z", lines[1]
    )
    .parse()
    .expect("a rule");
    assert!(zone.starts_with("America/Toronto:"));
    let starts: Vec<String> = set
        .all(100)
        .dates
        .iter()
        .map(|at| at.to_utc().to_rfc3339())
        .collect();
    for (local, utc) in [
        ("before spring", "2026-03-02T00:00:00+00:00"),
        ("after it", "2026-03-08T23:00:00+00:00"),
        ("before autumn", "2026-10-25T23:00:00+00:00"),
        ("after it", "2026-11-02T00:00:00+00:00"),
    ] {
        assert!(starts.contains(&utc.to_owned()), "{local}: {starts:?}");
    }
    assert!(
        !starts.contains(&"2026-03-15T23:00:00+00:00".to_owned()),
        "left out"
    );
}

#[test]
fn days_are_days_without_a_zone() {
    let text = text(Event {
        zone: "America/Toronto".to_owned(),
        starts_local: "2026-07-01T00:00:00".to_owned(),
        ends_local: "2026-07-04T00:00:00".to_owned(),
        is_all_day: true,
        recurrence: "FREQ=YEARLY;UNTIL=20300702T035959Z".to_owned(),
        exceptions: vec!["2028-07-01T00:00:00".to_owned()],
        ..Event::default()
    });
    let event = read(&text);
    let day = |text: &str| Some(DatePerhapsTime::Date(text.parse().expect("a day")));
    // The event lasts three days; its end is the day after the last.
    assert_eq!(event.get_start(), day("2026-07-01"));
    assert_eq!(event.get_end(), day("2026-07-04"));
    assert!(text.contains("DTSTART;VALUE=DATE:20260701\r\n"));
    assert!(text.contains("EXDATE;VALUE=DATE:20280701\r\n"));
    assert!(text.contains("RRULE:FREQ=YEARLY;UNTIL=20300701\r\n"));
    assert!(!text.contains("TZID") && !text.contains("LOCATION"));
}

#[test]
fn days_that_are_added_stand_as_the_start_does() {
    let added = |is_all_day| {
        text(Event {
            is_all_day,
            recurrence: String::new(),
            additions: vec![
                "2026-03-05T19:00:00".to_owned(),
                "2026-03-09T10:00:00".to_owned(),
            ],
            exceptions: Vec::new(),
            ..weekly()
        })
    };
    let times = added(false);
    for at in ["20260305T190000", "20260309T100000"] {
        let line = format!("RDATE;TZID=America/Toronto:{at}\r\n");
        assert!(times.contains(&line), "{times}");
    }
    assert!(added(true).contains("RDATE;VALUE=DATE:20260309\r\n"));
}

#[test]
fn several_days_with_times_end_at_their_time() {
    let text = text(Event {
        zone: "America/Toronto".to_owned(),
        starts_local: "2026-10-31T20:00:00".to_owned(),
        ends_local: "2026-11-02T03:00:00".to_owned(),
        ..Event::default()
    });
    let event = read(&text);
    let zone = "America/Toronto";
    assert_eq!(event.get_start(), Some(local("2026-10-31T20:00:00", zone)));
    assert_eq!(event.get_end(), Some(local("2026-11-02T03:00:00", zone)));
    assert_eq!(event.property_value("RRULE"), None);
}

#[test]
fn what_is_no_event_is_a_fault_of_ours() {
    assert!(CalendarEvent::new(Item::default()).is_err());
    let lost = Event {
        zone: "Canada/Nowhere".to_owned(),
        ..weekly()
    };
    assert!(CalendarEvent::new(item(lost)).is_err());
}
