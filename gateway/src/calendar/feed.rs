//! Calendar feeds, which calendar programs fetch regularly.

use std::collections::BTreeMap;

use chassis::{error::Fault, instant, origin::Origin};
use chrono::{DateTime, NaiveDateTime, Utc};
use chrono_tz::Tz;
use editorial_proto::v1 as proto;
use icalendar::{Component, Property};

use super::{
    content_line::{END, begin, content_line, printable},
    event::CalendarEvent,
    zone,
};

/// Suggested refresh interval of a feed (RFC 7986, 5.7): an hour.
const REFRESHED: &str = "PT1H";

/// An event of a feed.
#[derive(Debug, Clone)]
pub(crate) struct FeedEntry {
    event: CalendarEvent,
    revised: DateTime<Utc>,
    is_cancelled: bool,
}

impl FeedEntry {
    /// Parses the times of an event from the editorial service. An unpublished event stays in calendars as cancelled,
    /// with its name and times but without its excerpt and page address.
    pub(crate) fn new(message: proto::CalendarEvent) -> Result<Self, Fault> {
        let is_cancelled = message.is_unpublished;
        let mut item = message.item.unwrap_or_default();
        if is_cancelled {
            item.excerpt.clear();
            item.path.clear();
        }
        let changed = message.date_changed.as_ref().and_then(instant::from_proto);
        Ok(Self {
            event: CalendarEvent::new(item)?,
            revised: changed.unwrap_or(DateTime::UNIX_EPOCH),
            is_cancelled,
        })
    }
}

/// Builds a calendar with this name and these events.
pub(crate) fn feed(name: &str, site: &Origin, entries: &[FeedEntry]) -> String {
    let mut text = begin();
    let name = printable(name);
    let mut interval = Property::new("REFRESH-INTERVAL", REFRESHED);
    interval.add_parameter("VALUE", "DURATION");
    for property in [
        ("NAME", name.as_str()).into(),
        ("X-WR-CALNAME", name.as_str()).into(),
        interval.done(),
        ("X-PUBLISHED-TTL", REFRESHED).into(),
    ] {
        text.push_str(&content_line(property));
    }
    for (zone, first) in zones(entries).into_values() {
        text.push_str(&zone::component(zone, first));
    }
    for entry in entries {
        let mut component = entry.event.entry(site, entry.revised);
        if entry.is_cancelled {
            component.add_property("STATUS", "CANCELLED");
        }
        // Writing to a String cannot fail.
        text.push_str(&component.try_into_string().unwrap_or_default());
    }
    text.push_str(END);
    text
}

/// Returns the zones of the events that have times, each with the first time in it.
fn zones(entries: &[FeedEntry]) -> BTreeMap<&'static str, (Tz, NaiveDateTime)> {
    let mut zones = BTreeMap::new();
    let events = entries.iter().map(|entry| &entry.event);
    for event in events.filter(|event| !event.is_all_day()) {
        let (_, first) = zones
            .entry(event.zone.name())
            .or_insert((event.zone, event.starts));
        *first = event.starts.min(*first);
    }
    zones
}

#[cfg(test)]
mod tests {
    use editorial_proto::v1::{Event, Item, item::Detail};
    use icalendar::{Calendar, CalendarComponent};

    use super::*;

    fn message(id: i64, is_unpublished: bool, event: Event) -> FeedEntry {
        let item = Item {
            id,
            name: format!("Event {id}"),
            path: format!("/events/{id}/"),
            excerpt: "What it is.".to_owned(),
            detail: Some(Detail::Event(event)),
            ..Item::default()
        };
        let changed = "2026-02-01T10:00:00Z".parse().expect("an instant");
        FeedEntry::new(proto::CalendarEvent {
            item: Some(item),
            is_unpublished,
            date_changed: Some(instant::to_proto(changed)),
        })
        .expect("an event")
    }

    fn evening(zone: &str, day: &str) -> Event {
        Event {
            zone: zone.to_owned(),
            starts_local: format!("{day}T19:00:00"),
            ends_local: format!("{day}T23:00:00"),
            sequence: 3,
            ..Event::default()
        }
    }

    fn text(name: &str, entries: &[FeedEntry]) -> String {
        let site = Origin::parse("https://guide.example").expect("an origin");
        feed(name, &site, entries)
    }

    #[test]
    fn each_zone_is_described_once_from_its_first_event_on() {
        let days = Event {
            is_all_day: true,
            starts_local: "2026-07-01T00:00:00".to_owned(),
            ends_local: "2026-07-02T00:00:00".to_owned(),
            ..evening("America/Vancouver", "2026-07-01")
        };
        let text = text(
            "Guide: saved events",
            &[
                message(1, false, evening("America/Toronto", "2026-12-01")),
                message(2, false, evening("America/Toronto", "2006-03-01")),
                message(3, false, evening("America/Halifax", "2026-03-01")),
                message(4, false, days),
            ],
        );
        let zones: Vec<_> = text
            .lines()
            .filter(|line| line.starts_with("TZID:"))
            .collect();
        assert_eq!(zones, ["TZID:America/Halifax", "TZID:America/Toronto"]);
        // In 2006, the clocks changed by a different rule.
        let (_, toronto) = text.split_once("TZID:America/Toronto").expect("a zone");
        assert!(toronto.contains("DTSTART:2005"), "{toronto}");
        let calendar: Calendar = text.parse().expect("a calendar");
        let events = calendar.components.iter();
        let events = events.filter_map(CalendarComponent::as_event);
        let uids: Vec<_> = events.filter_map(Component::get_uid).collect();
        assert_eq!(
            uids,
            [1, 2, 3, 4].map(|id| format!("event-{id}@guide.example"))
        );
    }

    #[test]
    fn an_event_that_was_unpublished_is_cancelled_and_tells_no_more_than_its_name_and_times() {
        let event = evening("America/Toronto", "2026-12-01");
        let cancelled = text("Guide", &[message(1, true, event.clone())]);
        for line in [
            "UID:event-1@guide.example\r\n",
            "STATUS:CANCELLED\r\n",
            "SUMMARY:Event 1\r\n",
            "DTSTART;TZID=America/Toronto:20261201T190000\r\n",
            "DTSTAMP:20260201T100000Z\r\n",
            "SEQUENCE:3\r\n",
        ] {
            assert!(cancelled.contains(line), "{line}: {cancelled}");
        }
        assert!(
            !cancelled.contains("What it is.") && !cancelled.contains("URL:"),
            "{cancelled}"
        );
        let there = text("Guide", &[message(1, false, event)]);
        assert!(!there.contains("STATUS:"), "{there}");
        assert!(
            there.contains("URL:https://guide.example/events/1/\r\n"),
            "{there}"
        );
    }

    #[test]
    fn a_name_cannot_end_its_line() {
        let text = text("Guide; of\r\nBEGIN:VEVENT\u{7}, more", &[]);
        assert!(
            text.contains("X-WR-CALNAME:Guide\\; of\\nBEGIN:VEVENT\\, more\r\n"),
            "{text}"
        );
        assert!(
            text.contains("REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n"),
            "{text}"
        );
    }
}
