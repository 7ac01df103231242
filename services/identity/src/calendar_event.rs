//! Conversion of the site's events to events of Google's Calendar API (`Events`). Times are local to the event's zone,
//! so that a recurring event keeps its hour when daylight saving time changes.

use chassis::{
    error::{Code, Fault},
    origin::Origin,
    recurrence::by_days,
};
use chrono::NaiveDateTime;
use chrono_tz::Tz;
use editorial_proto::v1::{Event, Item, item::Detail};
use serde_json::{Value, json};

const SECONDS: &str = "%Y-%m-%dT%H:%M:%S";
// The RFC 5545 formats of times and dates.
const RULE_TIME: &str = "%Y%m%dT%H%M%S";
const RULE_DAY: &str = "%Y%m%d";

/// Builds the calendar event with this id. The excerpt of an age-restricted event is omitted.
pub(crate) fn calendar_event(site: &Origin, google_id: &str, item: &Item) -> Result<Value, Fault> {
    let refuse = |what: &str| {
        let message = format!("event {} has no {what}", item.id);
        Fault::new(Code::Internal, message)
    };
    let Some(Detail::Event(event)) = &item.detail else {
        return Err(refuse("times"));
    };
    let local = |what: &str, text: &str| -> Result<NaiveDateTime, Fault> {
        text.parse().map_err(|_| refuse(what))
    };
    let zone: Tz = event.zone.parse().map_err(|_| refuse("zone"))?;
    let starts: NaiveDateTime = local("start", &event.starts_local)?;
    let ends: NaiveDateTime = local("end", &event.ends_local)?;
    let times = |what: &str, texts: &[String]| {
        let times = texts.iter().map(|text| local(what, text));
        times.collect::<Result<Vec<NaiveDateTime>, _>>()
    };
    let exceptions = times("exception", &event.exceptions)?;
    let additions = times("addition", &event.additions)?;
    let when = |at: NaiveDateTime| {
        if event.is_all_day {
            json!({"date": at.date().to_string()})
        } else {
            json!({"dateTime": at.format(SECONDS).to_string(), "timeZone": zone.name()})
        }
    };
    let page = format!("{}{}", site.as_str(), item.path);
    let texts = [item.excerpt.as_str(), page.as_str()];
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    let place = [event.venue.as_str(), event.address.as_str()];
    let place = place.into_iter().filter(|part| !part.is_empty());
    Ok(json!({
        "id": google_id,
        "summary": item.name,
        "description": texts.collect::<Vec<_>>().join("\n\n"),
        "location": place.collect::<Vec<_>>().join(", "),
        "source": {"title": item.name, "url": page},
        "start": when(starts),
        "end": when(ends),
        "recurrence": recurrence(event, zone, (&exceptions, &additions)),
    }))
}

/// The RFC 5545 lines with the recurrence rule, exceptions and additional dates.
fn recurrence(
    event: &Event,
    zone: Tz,
    (exceptions, additions): (&[NaiveDateTime], &[NaiveDateTime]),
) -> Vec<String> {
    let rule = if event.is_all_day {
        by_days(&event.recurrence, zone)
    } else {
        event.recurrence.clone()
    };
    let line = |name: &str, at: &NaiveDateTime| {
        if event.is_all_day {
            format!("{name};VALUE=DATE:{}", at.format(RULE_DAY))
        } else {
            format!("{name};TZID={}:{}", zone.name(), at.format(RULE_TIME))
        }
    };
    let rule = Some(rule).filter(|rule| !rule.is_empty());
    rule.map(|rule| format!("RRULE:{rule}"))
        .into_iter()
        .chain(exceptions.iter().map(|at| line("EXDATE", at)))
        .chain(additions.iter().map(|at| line("RDATE", at)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(event: Event) -> Value {
        let site = Origin::parse("https://guide.test").expect("an origin");
        let item = Item {
            id: 7,
            name: "Market".to_owned(),
            path: "/events/market/".to_owned(),
            excerpt: "Bread.".to_owned(),
            detail: Some(Detail::Event(event)),
            ..Item::default()
        };
        calendar_event(&site, "cg1", &item).expect("an event")
    }

    fn market() -> Event {
        Event {
            zone: "America/Toronto".to_owned(),
            starts_local: "2026-03-01T09:00:00".to_owned(),
            ends_local: "2026-03-01T12:00:00".to_owned(),
            recurrence: "FREQ=WEEKLY;BYDAY=SU".to_owned(),
            exceptions: vec!["2026-03-08T09:00:00".to_owned()],
            venue: "St. Lawrence".to_owned(),
            address: "92 Front St E".to_owned(),
            ..Event::default()
        }
    }

    #[test]
    fn a_recurring_event_keeps_its_hour_in_its_zone() {
        assert_eq!(
            body(market()),
            json!({
                "id": "cg1",
                "summary": "Market",
                "description": "Bread.\n\nhttps://guide.test/events/market/",
                "location": "St. Lawrence, 92 Front St E",
                "source": {"title": "Market", "url": "https://guide.test/events/market/"},
                "start": {"dateTime": "2026-03-01T09:00:00", "timeZone": "America/Toronto"},
                "end": {"dateTime": "2026-03-01T12:00:00", "timeZone": "America/Toronto"},
                "recurrence": [
                    "RRULE:FREQ=WEEKLY;BYDAY=SU",
                    "EXDATE;TZID=America/Toronto:20260308T090000",
                ],
            })
        );
    }

    #[test]
    fn an_all_day_event_has_days() {
        let days = body(Event {
            is_all_day: true,
            starts_local: "2026-07-01T00:00:00".to_owned(),
            ends_local: "2026-07-02T00:00:00".to_owned(),
            recurrence: "FREQ=DAILY;UNTIL=20260705T035959Z".to_owned(),
            exceptions: vec!["2026-07-03T00:00:00".to_owned()],
            ..market()
        });
        assert_eq!(days["start"], json!({"date": "2026-07-01"}));
        assert_eq!(days["end"], json!({"date": "2026-07-02"}));
        assert_eq!(
            days["recurrence"],
            json!([
                "RRULE:FREQ=DAILY;UNTIL=20260704",
                "EXDATE;VALUE=DATE:20260703"
            ])
        );
    }

    #[test]
    fn days_are_added_without_a_rule() {
        let fair = body(Event {
            recurrence: String::new(),
            exceptions: Vec::new(),
            additions: vec!["2026-03-20T10:00:00".to_owned()],
            ..market()
        });
        assert_eq!(
            fair["recurrence"],
            json!(["RDATE;TZID=America/Toronto:20260320T100000"])
        );
        let once = body(Event {
            recurrence: String::new(),
            exceptions: Vec::new(),
            ..market()
        });
        assert_eq!(once["recurrence"], json!([]));
    }

    #[test]
    fn an_event_without_times_is_refused() {
        let site = Origin::parse("https://guide.test").expect("an origin");
        calendar_event(&site, "cg1", &Item::default()).expect_err("no times");
    }
}
