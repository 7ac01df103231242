//! `cityguide import events` of iCalendar: the events that readers see, and files that are truncated or malicious.

use std::{fs, path::Path};

use cityguide::Settings;
use serde_json::{Value, json};

use crate::{commands, imports};

/// A series with an excluded, a moved and a cancelled occurrence, an event of several days, an event that recurs too
/// often, and a task.
const CALENDAR: &str = "\u{FEFF}BEGIN:VCALENDAR\r
VERSION:2.0\r
METHOD:PUBLISH\r
X-WR-TIMEZONE:America/Toronto\r
BEGIN:VEVENT\r
UID:drawing@guide.test\r
DTSTART;TZID=Eastern Standard Time:20261207T190000\r
DTEND;TZID=Eastern Standard Time:20261207T210000\r
RRULE:FREQ=WEEKLY;COUNT=5\r
EXDATE;TZID=Eastern Standard Time:20261228T190000\r
SUMMARY:Life drawing\\, with a mo\r
 del\r
LOCATION:The Hall\\, 814 Bloor St W\\, Toronto\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:drawing@guide.test\r
RECURRENCE-ID;TZID=Eastern Standard Time:20261214T190000\r
DTSTART;TZID=Eastern Standard Time:20261215T180000\r
DURATION:PT2H\r
SUMMARY:Life drawing on Tuesday\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:drawing@guide.test\r
RECURRENCE-ID:20261222T000000Z\r
STATUS:CANCELLED\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:fair@guide.test\r
DTSTART;VALUE=DATE:20261212\r
DTEND;VALUE=DATE:20261214\r
SUMMARY:Winter fair\r
CATEGORIES:Markets\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:clock@guide.test\r
DTSTART:20261212T100000Z\r
RRULE:FREQ=SECONDLY;COUNT=1000000000\r
SUMMARY:Tick\r
END:VEVENT\r
BEGIN:VTODO\r
SUMMARY:Buy charcoal\r
END:VTODO\r
END:VCALENDAR\r
";

const COUNT: &str = "SELECT count(*) FROM editorial.items WHERE kind = 'event'";

async fn import(settings: &Settings, file: &Path, options: &[&str]) -> (bool, String) {
    imports::import_with(settings, "events", file, options).await
}

#[tokio::test]
async fn a_calendar_imports_twice_with_the_same_result_and_its_cancellations_take_effect() {
    let (settings, database, folder) = commands::migrated().await;
    // Neither the file's name nor an option specifies its format.
    let file = folder.path().join("events");
    fs::write(&file, CALENDAR).expect("writes");
    let (ok, said) = import(&settings, &file, &["--refuse-at-most", "1"]).await;
    assert!(!ok && said.contains("2 refused, more than the 1"), "{said}");
    assert_eq!(database.number(COUNT).await, 0);
    let listed = folder.path().join("refused.jsonl");
    let listed_at = listed.to_str().expect("UTF-8");
    let options = ["--refuse-at-most", "2", "--refused", listed_at];
    let (ok, said) = import(&settings, &file, &[&options[..], &["--dry-run"]].concat()).await;
    assert!(
        ok && said.contains("+ ical:drawing@guide.test at line 5"),
        "{said}"
    );
    assert_eq!(database.number(COUNT).await, 0);
    let (ok, said) = import(&settings, &file, &options).await;
    assert!(
        ok && said.contains("events: 6 read, 3 created, 1 changed, 0 unchanged, 2 refused"),
        "{said}"
    );
    let listed = fs::read_to_string(&listed).expect("a file");
    let refused: Vec<Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(refused[0]["reason"], "it is no event, but VTODO");
    assert_eq!(refused[1]["position"], "line 34");
    assert_eq!(refused[1]["source_id"], "ical:clock@guide.test");
    let starts =
        "SELECT count(*) FROM editorial.occurrences o JOIN editorial.items i ON i.id = o.item_id
        WHERE i.name = 'Life drawing, with a model'
            AND o.starts_at IN ('2026-12-08T00:00:00Z', '2027-01-05T00:00:00Z')";
    assert_eq!(database.number(starts).await, 2);
    let all = "SELECT count(*) FROM editorial.occurrences";
    assert_eq!(database.number(all).await, 4);
    let (ok, said) = import(&settings, &file, &options).await;
    assert!(
        ok && said.contains("6 read, 0 created, 0 changed, 4 unchanged, 2 refused"),
        "{said}"
    );

    let fair = "BEGIN:VCALENDAR\nMETHOD:CANCEL\nBEGIN:VEVENT\nUID:fair@guide.test\nEND:VEVENT\nEND:VCALENDAR\n";
    fs::write(&file, fair).expect("writes");
    for changed in [1, 0] {
        let (ok, said) = import(&settings, &file, &[]).await;
        assert!(
            ok && said.contains(&format!("1 read, 0 created, {changed} changed")),
            "{said}"
        );
        let live = "SELECT count(*) FROM editorial.items WHERE kind = 'event' AND is_live";
        assert_eq!(database.number(live).await, 2);
    }
}

#[tokio::test]
async fn a_broken_calendar_is_one_line_with_a_reason_and_changes_nothing() {
    let (settings, database, folder) = commands::migrated().await;
    let file = folder.path().join("events.ics");
    let cut = &CALENDAR[..CALENDAR.len() - 100];
    let deep = format!("BEGIN:VCALENDAR\n{}", "BEGIN:VEVENT\n".repeat(10_000));
    let whole = CALENDAR.replace("END:VTODO", "END:VEVENT");
    for (broken, reason) in [
        (cut, "it ends within"),
        (
            &deep,
            "broken at line 9: components are nested deeper than 8",
        ),
        (&whole, "END:VEVENT within VTODO, which begins at line 40"),
    ] {
        fs::write(&file, broken).expect("writes");
        let (ok, said) = import(&settings, &file, &["--refuse-at-most", "9"]).await;
        let lines: Vec<_> = said
            .lines()
            .filter(|line| line.starts_with("cityguide: "))
            .collect();
        assert!(!ok && lines.len() == 1, "{said}");
        assert!(
            lines[0].contains(reason) && lines[0].contains("nothing was imported"),
            "{said}"
        );
        assert_eq!(database.number(COUNT).await, 0);
    }
}

#[tokio::test]
async fn the_same_event_as_json_ld_and_in_a_calendar_is_one() {
    let (settings, database, folder) = commands::migrated().await;
    let (city, hall) = (folder.path().join("city"), folder.path().join("hall"));
    let place = json!({"name": "The Hall", "address": {"streetAddress": "814 Bloor St W"}});
    let event = |name: &str, place: &Value| {
        json!({"@type": "Event", "name": name, "startDate": "2026-12-08T00:00:00.000Z",
            "url": "https://city.example/1", "location": place})
    };
    let elsewhere = json!({"name": "The Hall", "address": {"streetAddress": "12 King St E"}});
    let events = json!([
        event("Jazz & Blues", &place),
        event("Open stage", &elsewhere)
    ]);
    fs::write(&city, events.to_string()).expect("writes");
    let calendar = ["Jazz and blues", "Open stage"].map(|name| {
        format!(
            "BEGIN:VEVENT\nUID:{name}\nDTSTART;TZID=America/Toronto:20261207T190000\nDURATION:PT2H\nSUMMARY:{name}\n\
             LOCATION:Hall\\, 814 Bloor Street West\\, Toronto\nEND:VEVENT\n"
        )
    });
    let calendar = format!("BEGIN:VCALENDAR\n{}END:VCALENDAR\n", calendar.concat());
    fs::write(&hall, calendar).expect("writes");
    let (ok, said) = import(&settings, &city, &[]).await;
    assert!(ok && said.contains("2 read, 2 created"), "{said}");
    let (ok, said) = import(&settings, &hall, &[]).await;
    assert!(
        ok && said.contains("2 read, 1 created, 0 changed, 1 unchanged, 0 refused"),
        "{said}"
    );
    for file in [&city, &hall] {
        let (ok, said) = import(&settings, file, &[]).await;
        assert!(
            ok && said.contains("2 read, 0 created, 0 changed, 2 unchanged, 0 refused"),
            "{said}"
        );
    }
    assert_eq!(database.number(COUNT).await, 3);
}
