//! Calendars of common programs, and malicious calendars.

use std::{fmt::Write as _, io::Cursor};

use editorial_proto::v1::{Event, import_item::Detail};

use super::*;

mod times;

const GOOGLE: &str = include_str!("calendars/google.ics");
const OUTLOOK: &str = include_str!("calendars/outlook.ics");
const APPLE: &str = include_str!("calendars/apple.ics");
const WORDPRESS: &str = include_str!("calendars/wordpress.ics");

type Read = Vec<(String, Result<ImportItem, String>)>;

fn read(file: impl AsRef<[u8]>) -> Result<Read, String> {
    let mut found = Vec::new();
    each(
        Cursor::new(file),
        chrono_tz::America::Toronto,
        |position, item| {
            found.push((position, item));
            true
        },
    )?;
    Ok(found)
}

fn items(file: &str) -> Vec<Result<ImportItem, String>> {
    let found = read(file).expect("a calendar").into_iter();
    found.map(|(_, item)| item).collect()
}

/// Returns the item of a calendar that has one event with these lines.
fn one(lines: &str) -> Result<ImportItem, String> {
    let file = format!(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Jazz\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n"
    );
    items(&file).remove(0)
}

fn event(item: &ImportItem) -> &Event {
    match &item.detail {
        Some(Detail::Event(event)) => event,
        other => panic!("{other:?}"),
    }
}

fn times(event: &Event) -> (&str, &str, &str, bool) {
    let (starts, ends) = (event.starts_local.as_str(), event.ends_local.as_str());
    (event.zone.as_str(), starts, ends, event.is_all_day)
}

#[test]
fn a_calendar_of_google_has_a_series_its_changes_and_a_cancellation() {
    let items: Vec<_> = items(GOOGLE)
        .into_iter()
        .map(|item| item.expect("an event"))
        .collect();
    let ids: Vec<_> = items.iter().map(|item| item.source_id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "ical:4k2drawing@google.com",
            "ical:4k2drawing@google.com#20260127T000000Z",
            "ical:4k2drawing@google.com#20260203T000000Z",
            "ical:once@google.com",
            "ical:fair@google.com",
            "ical:gone@google.com",
        ]
    );
    let series = event(&items[0]);
    assert_eq!(
        times(series),
        (
            "America/Toronto",
            "2026-01-05T19:00:00",
            "2026-01-05T21:00:00",
            false
        )
    );
    assert_eq!(
        series.recurrence,
        "FREQ=WEEKLY;WKST=SU;UNTIL=20260303T045959Z;BYDAY=MO"
    );
    assert_eq!(
        series.exceptions,
        ["2026-01-19T19:00:00", "2026-02-16T19:00:00"]
    );
    assert_eq!(
        (series.venue.as_str(), series.address.as_str()),
        ("Bellwoods Arts", "814 Bloor St W, Toronto, ON M6G 1L9")
    );
    assert!(
        items[0].body_markdown.contains("**charcoal**"),
        "{}",
        items[0].body_markdown
    );
    assert!(items[0].body_markdown.contains("free of charge"));

    let moved = items[1].replaces.as_ref().expect("an occurrence");
    assert_eq!(
        (
            moved.series.as_str(),
            moved.starts_local.as_str(),
            moved.zone.as_str()
        ),
        (
            "ical:4k2drawing@google.com",
            "2026-01-26T19:00:00",
            "America/Toronto"
        )
    );
    assert_eq!(event(&items[1]).starts_local, "2026-01-27T18:00:00");
    assert!(items[2].is_cancelled && items[2].detail.is_none());
    let cancelled = items[2].replaces.as_ref().expect("an occurrence");
    assert_eq!(
        (cancelled.starts_local.as_str(), cancelled.zone.as_str()),
        ("2026-02-03T00:00:00", "UTC")
    );
    // A UTC time is converted to the calendar's zone.
    assert_eq!(
        times(event(&items[3])),
        (
            "America/Toronto",
            "2026-01-09T19:00:00",
            "2026-01-09T21:30:00",
            false
        )
    );
    assert_eq!(
        times(event(&items[4])),
        (
            "America/Toronto",
            "2026-02-14T00:00:00",
            "2026-02-17T00:00:00",
            true
        )
    );
    assert_eq!(items[4].tags, ["Markets", "Family"]);
    assert_eq!(event(&items[4]).category, "markets");
    assert!(items[5].is_cancelled && items[5].replaces.is_none());
}

#[test]
fn a_calendar_of_outlook_has_zones_of_windows_and_its_own() {
    let items = items(OUTLOOK);
    let lunch = items[0].as_ref().expect("an event");
    assert_eq!(
        times(event(lunch)),
        (
            "America/Toronto",
            "2026-03-17T12:00:00",
            "2026-03-17T13:00:00",
            false
        )
    );
    assert_eq!(lunch.name, "Lunch & learn");
    assert!(
        lunch.body_markdown.contains("Soup"),
        "{}",
        lunch.body_markdown
    );
    let weekend = items[1].as_ref().expect("an event");
    assert_eq!(
        times(event(weekend)),
        (
            "America/Toronto",
            "2026-05-01T00:00:00",
            "2026-05-03T00:00:00",
            true
        )
    );
    // Seven in the evening in the Pacific zone.
    let call = items[2].as_ref().expect("an event");
    assert_eq!(
        times(event(call)),
        (
            "America/Toronto",
            "2026-01-05T22:00:00",
            "2026-01-05T23:30:00",
            false
        )
    );
    let reason = |at: usize| items[at].as_ref().expect_err("refused").as_str();
    assert_eq!(
        reason(3),
        "line 56: it recurs by a clock that no zone of IANA has"
    );
    assert_eq!(reason(4), "it is not public (CLASS:PRIVATE)");
}

#[test]
fn a_calendar_of_apple_has_dates_in_a_list_days_and_times_of_no_zone() {
    let items = items(APPLE);
    let shanties = items[0].as_ref().expect("an event");
    let when = event(shanties);
    assert_eq!(
        times(when),
        (
            "America/Halifax",
            "2026-06-01T20:00:00",
            "2026-06-01T22:00:00",
            false
        )
    );
    assert_eq!(
        when.additions,
        ["2026-06-15T20:00:00", "2026-06-20T18:00:00"]
    );
    assert_eq!(
        (when.venue.as_str(), when.address.as_str()),
        ("The Hall", "92 Front St E, Toronto ON, Canada")
    );
    assert_eq!(when.website, "https://shanties.example/");
    let days = event(items[1].as_ref().expect("an event"));
    assert_eq!(
        times(days),
        (
            "America/Toronto",
            "2026-07-01T00:00:00",
            "2026-07-02T00:00:00",
            true
        )
    );
    assert_eq!(days.recurrence, "FREQ=DAILY;UNTIL=20260705");
    assert_eq!(days.exceptions, ["2026-07-03T00:00:00"]);
    let fireworks = event(items[2].as_ref().expect("an event"));
    assert_eq!(
        times(fireworks),
        (
            "America/Toronto",
            "2026-07-01T22:00:00",
            "2026-07-01T22:00:00",
            false
        )
    );
    assert_eq!(
        (fireworks.venue.as_str(), fireworks.address.as_str()),
        ("", "1 Lake Shore Blvd W, Toronto")
    );
    assert_eq!(items[3], Err("it is no event, but VTODO".to_owned()));
}

#[test]
fn a_calendar_of_a_plugin_of_wordpress_has_entities_and_its_page() {
    let items = items(WORDPRESS);
    let crafts = items[0].as_ref().expect("an event");
    assert_eq!(crafts.name, "Crafts & curios, spring edition");
    assert_eq!(crafts.tags, ["Markets", "Arts & Crafts"]);
    assert_eq!(
        crafts.body_markdown,
        "Forty tables.\n\nCome early; it fills."
    );
    assert!(
        crafts
            .slug
            .starts_with("crafts-curios-spring-edition-2026-04-12-"),
        "{}",
        crafts.slug
    );
    let when = event(crafts);
    assert_eq!(when.website, "https://village.example/event/crafts-curios/");
    assert_eq!(
        (when.venue.as_str(), when.address.as_str()),
        ("The Village Hall", "15 Mill Lane, Toronto, ON, M4M 1A1")
    );
}

#[test]
fn a_calendar_of_cancellations_cancels_and_one_of_answers_is_refused() {
    let file = "BEGIN:VCALENDAR\nMETHOD:CANCEL\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR\n\
        BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:1\nDTSTART:20260101T100000Z\nEND:VEVENT\nEND:VCALENDAR\n";
    let items = items(file);
    let cancelled = items[0].as_ref().expect("a cancellation");
    assert!(cancelled.is_cancelled && cancelled.source_id == "ical:1");
    assert_eq!(
        items[1],
        Err("it is an answer of a guest (METHOD:REPLY)".to_owned())
    );
}

#[test]
fn an_event_without_an_id_is_known_by_its_page_start_and_name() {
    let id = |lines: &str| {
        let file = format!(
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Jazz\n{lines}\nEND:VEVENT\nEND:VCALENDAR\n"
        );
        items(&file).remove(0).expect("an event").source_id
    };
    let first = id("DTSTART:20260101T100000Z");
    assert_eq!(
        first,
        id("DTSTART;TZID=America/Toronto:20260101T050000\nDESCRIPTION:More")
    );
    assert_ne!(first, id("DTSTART:20260102T100000Z"));
    assert_ne!(
        first,
        id("DTSTART:20260101T100000Z\nURL:https://a.example/")
    );
    let long = one(&format!(
        "DTSTART:20260101T100000Z\nUID:{}",
        "x".repeat(999)
    ));
    // The first of two ids is used.
    assert_eq!(long.expect("an event").source_id, "ical:1");
}

#[test]
fn what_no_event_can_be_made_of_is_refused_with_its_line_and_reason() {
    let starts = "DTSTART:20260101T100000Z";
    for (lines, reason) in [
        ("", "it has no start (DTSTART)"),
        ("DTSTART:soon", "line 5: its DTSTART \"soon\" is no date"),
        (
            "DTSTART:999990101T100000Z",
            "line 5: its DTSTART \"999990101T100000Z\" is no date",
        ),
        (
            "DTSTART:99991231",
            "line 5: its DTSTART \"99991231\" is in no year that has events",
        ),
        (
            "DTSTART:20260101T250000",
            "line 5: its DTSTART \"20260101T250000\" is no time",
        ),
        (
            "DTSTART;TZID=Mars/Olympus:20260101T100000",
            "line 5: its DTSTART \"20260101T100000\" is in the time zone \"Mars/Olympus\", which is unknown and no \
             VTIMEZONE before it describes",
        ),
        (
            "DTSTART;TZID=\"x:20260101T100000",
            "line 5 has a broken parameter",
        ),
        ("not a property", "line 5 is no property"),
        (
            &format!("{starts}\nDURATION:long"),
            "line 6: its DURATION \"long\" is none",
        ),
        (
            &format!("{starts}\nRRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY"),
            "line 7: it has more than one RRULE",
        ),
        (
            &format!("{starts}\nEXRULE:FREQ=DAILY"),
            "line 6: a rule of exceptions (EXRULE) cannot be read",
        ),
        (
            &format!("{starts}\nRDATE;VALUE=PERIOD:20260101T100000Z/PT1H"),
            "line 6: periods in its RDATE cannot be read",
        ),
        (
            &format!("{starts}\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260101T100000Z"),
            "line 6: it changes all later occurrences of an event (RANGE), which cannot be read",
        ),
    ] {
        assert_eq!(one(lines).expect_err(lines), reason);
    }
    let long = one(&format!("DESCRIPTION:{}", "x".repeat(300_000)));
    assert_eq!(
        long.expect_err("refused"),
        "line 5 is longer than 262144 bytes"
    );
    let many = one(&"EXDATE:20260101T100000Z\n".repeat(5_000));
    assert!(
        many.expect_err("refused")
            .contains("more than 4000 properties")
    );
    // The length of unused properties is not limited.
    let picture = format!(
        "{starts}\nATTACH;ENCODING=BASE64;VALUE=BINARY:{}",
        "x".repeat(3 << 20)
    );
    one(&picture).expect("an event");
}

#[test]
fn a_broken_file_says_where() {
    let whole = GOOGLE.as_bytes();
    let cut = read(&whole[..whole.len() - 400]).expect_err("broken");
    assert!(
        cut.contains("it ends within VEVENT, which begins at line"),
        "{cut}"
    );
    let mut deep = "BEGIN:VCALENDAR\n".to_owned();
    for _ in 0..10_000 {
        deep.push_str("BEGIN:VEVENT\n");
    }
    for (file, reason) in [
        ("", "broken at line 1: expected BEGIN:VCALENDAR"),
        ("SUMMARY:x\n", "broken at line 1: expected BEGIN:VCALENDAR"),
        (
            "BEGIN:VEVENT\n",
            "broken at line 1: expected BEGIN:VCALENDAR",
        ),
        (
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\n",
            "broken at line 3: END:VCALENDAR within VEVENT, which begins at line 2",
        ),
        (
            "BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VCALENDAR\n",
            "broken at line 3: expected BEGIN:VCALENDAR",
        ),
        (
            "BEGIN:VCALENDAR\nEND:VCALENDAR\nmore\n",
            "broken at line 3: expected BEGIN:VCALENDAR",
        ),
        (
            &deep,
            "broken at line 9: components are nested deeper than 8",
        ),
    ] {
        assert_eq!(read(file).expect_err("broken"), reason);
    }
}

#[test]
fn a_file_is_known_as_a_calendar_by_its_beginning() {
    for calendar in ["BEGIN:VCALENDAR\r\n", "\n\n begin:vcalendar\n"] {
        assert!(begins(calendar.as_bytes()), "{calendar}");
    }
    for other in ["", "[", "BEGIN:VCARD", "{\"@type\": \"BEGIN:VCALENDAR\"}"] {
        assert!(!begins(other.as_bytes()), "{other}");
    }
}

#[test]
fn positions_are_lines_of_the_file() {
    let mut file = "BEGIN:VCALENDAR\n".to_owned();
    for number in 0..1_000 {
        // Writing to a String cannot fail.
        let _ = write!(
            file,
            "BEGIN:VEVENT\nUID:{number}\nDTSTART:20260101\nSUMMARY:A\n b\nEND:VEVENT\n"
        );
    }
    file.push_str("END:VCALENDAR\n");
    let found = read(file).expect("a calendar");
    assert_eq!(found.len(), 1_000);
    assert_eq!(found[999].0, "line 5996");
}
