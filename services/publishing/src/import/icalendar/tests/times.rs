//! Recurrence rules, times and revisions.

use super::*;

#[test]
fn a_rule_comes_without_extensions() {
    let item = one("DTSTART:20260301T190000\nRRULE:freq=daily; UNTIL=20260331;;X-A=1;");
    let item = item.expect("an event");
    assert_eq!(event(&item).recurrence, "FREQ=DAILY;UNTIL=20260331");
}

#[test]
fn an_event_that_is_written_in_utc_is_in_the_zone_of_the_site_unless_it_recurs() {
    let seven = (
        "America/Toronto",
        "2027-01-12T19:00:00",
        "2027-01-12T21:00:00",
        false,
    );
    for zone in [
        ":20270113T000000Z",
        ";TZID=UTC:20270113T000000",
        ";TZID=Etc/GMT:20270113T000000",
        ";TZID=\"(UTC) Coordinated Universal Time\":20270113T000000",
    ] {
        let item = one(&format!("DTSTART{zone}\nDURATION:PT2H")).expect("an event");
        assert_eq!(times(event(&item)), seven, "{zone}");
        assert!(item.slug.starts_with("jazz-2027-01-12-"), "{}", item.slug);
        let item = one(&format!("DTSTART{zone}\nRRULE:FREQ=WEEKLY")).expect("an event");
        let own = ("UTC", "2027-01-13T00:00:00", "2027-01-13T00:00:00", false);
        assert_eq!(times(event(&item)), own, "{zone}");
    }
    // Plug-ins write this zone if they do not know the site's zone.
    let file = "BEGIN:VCALENDAR\nX-WR-TIMEZONE:UTC\nBEGIN:VEVENT\nUID:1\nSUMMARY:Jazz\nDTSTART:20270113T000000\n\
        DURATION:PT2H\nEND:VEVENT\nEND:VCALENDAR\n";
    let item = items(file).remove(0).expect("an event");
    assert_eq!(times(event(&item)), seven);
    let days = "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE\nDTSTART;TZID=UTC:20270113T000000\nDTEND;TZID=UTC:20270114T000000";
    for recurring in ["", "\nRRULE:FREQ=WEEKLY"] {
        let item = one(&format!("{days}{recurring}")).expect("an event");
        let day = (
            "America/Toronto",
            "2027-01-13T00:00:00",
            "2027-01-14T00:00:00",
            true,
        );
        assert_eq!(times(event(&item)), day);
    }
}

#[test]
fn hours_are_exact_and_days_are_of_the_calendar() {
    let starts = "DTSTART;TZID=America/Toronto:20271106T220000";
    for (length, ends) in [
        ("DURATION:PT24H", "2027-11-07T21:00:00"),
        ("DURATION:P1D", "2027-11-07T22:00:00"),
        ("DURATION:P1DT2H", "2027-11-08T00:00:00"),
        (
            "DTEND;TZID=America/Toronto:20271107T240000",
            "2027-11-08T00:00:00",
        ),
    ] {
        let item = one(&format!("{starts}\n{length}")).expect("an event");
        assert_eq!(event(&item).ends_local, ends, "{length}");
    }
    let item = one("DTSTART:20271107T030000Z\nDURATION:P1D").expect("an event");
    assert_eq!(event(&item).ends_local, "2027-11-07T22:00:00");
}

#[test]
fn the_later_revision_of_an_event_counts_whatever_their_order() {
    let revision = |uid: &str, lines: &str, name: &str| {
        format!(
            "BEGIN:VEVENT\nUID:{uid}\nDTSTART:20270110T190000\n{lines}\nSUMMARY:{name}\nEND:VEVENT\n"
        )
    };
    let revisions = [
        revision("1", "SEQUENCE:2\nDTSTAMP:20260101T000000Z", "New"),
        revision("1", "DTSTAMP:20270101T000000Z", "Old"),
        revision("2", "DTSTAMP:20260102T000000Z", "New"),
        revision("2", "DTSTAMP:20260101T000000Z", "Old"),
        revision("3", "RECURRENCE-ID:20270109T190000\nSEQUENCE:1", "New"),
        revision("3", "RRULE:FREQ=DAILY\nSEQUENCE:7", "New"),
        revision("3", "RECURRENCE-ID:20270109T190000", "Old"),
    ];
    let names = |revisions: &mut dyn Iterator<Item = &String>| {
        let revisions: String = revisions.map(String::as_str).collect();
        let file = format!("BEGIN:VCALENDAR\n{revisions}END:VCALENDAR\n");
        let items = items(&file).into_iter();
        let names = items.map(|item| item.expect("an event").name);
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&mut revisions.iter()), ["New"; 4]);
    assert_eq!(names(&mut revisions.iter().rev()), ["New"; 4]);
}

#[test]
fn exceptions_are_told_by_the_clock_of_their_event() {
    let item = one(
        "DTSTART;TZID=America/Toronto:20260301T190000\nRRULE:FREQ=DAILY\n\
         EXDATE:20260303T000000Z,20260304T000000Z\nEXDATE;VALUE=DATE:20260306\n\
         EXDATE;TZID=America/Vancouver:20260306T160000",
    );
    assert_eq!(
        event(&item.expect("an event")).exceptions,
        [
            "2026-03-02T19:00:00",
            "2026-03-03T19:00:00",
            "2026-03-06T19:00:00"
        ]
    );
    let item = one("DTSTART;VALUE=DATE:20260301\nRRULE:FREQ=DAILY\n\
         EXDATE:20260303T000000Z,20260305T045959Z\nEXDATE;TZID=America/Toronto:20260305T000000");
    assert_eq!(
        event(&item.expect("an event")).exceptions,
        [
            "2026-03-03T00:00:00",
            "2026-03-04T00:00:00",
            "2026-03-05T00:00:00"
        ]
    );
    // Without a rule, exceptions have no effect.
    let item = one("DTSTART:20260301T190000\nEXDATE:20260301T190000").expect("an event");
    assert!(event(&item).exceptions.is_empty());
}
