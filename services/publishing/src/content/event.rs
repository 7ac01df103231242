//! Fields that only event files have: time and place.

use chrono::{Days, NaiveDateTime, NaiveTime};
use chrono_tz::Tz;
use editorial_proto::v1::{Event, import_item::Detail};
use toml::{Spanned, value::Datetime};

use super::{
    document::{self, Document},
    front::front,
};

front!(
    EventFront {
        starts: Spanned<Datetime>,
        ends: Option<Spanned<Datetime>>,
        timezone: Option<Spanned<String>>,
        #[serde(default)]
        recurrence: String,
        #[serde(default)]
        exceptions: Vec<Spanned<Datetime>>,
        place: Option<Spanned<String>>,
        #[serde(default)]
        venue: String,
        #[serde(default)]
        address: String,
        #[serde(default)]
        category: String,
        #[serde(default)]
        neighbourhood: String,
        #[serde(default)]
        is_free: bool,
        #[serde(default)]
        price: String,
        #[serde(default)]
        website: String,
    },
    detail,
    place
);

fn detail(
    front: &EventFront,
    document: &Document<'_>,
    zone: Tz,
    mistakes: &mut Vec<String>,
) -> Option<Detail> {
    let zone = match &front.timezone {
        None => zone.name().to_owned(),
        Some(named) => {
            if named.get_ref().parse::<Tz>().is_err() {
                let why = format!("there is no time zone {:?}", named.get_ref());
                mistakes.push(document.mistake(named, &why));
            }
            named.get_ref().clone()
        }
    };
    let mut local = |what: &str, at: &Spanned<Datetime>, clock: NaiveTime| {
        let found = document::local(at.get_ref(), clock);
        if found.is_none() {
            let why = format!("{what} must be a date, or a date and time without an offset");
            mistakes.push(document.mistake(at, &why));
        }
        found
    };
    let starts = local("starts", &front.starts, NaiveTime::MIN);
    let exceptions = front.exceptions.iter().map(|at| {
        // An exception without a time means the event's start time on that day.
        let clock = starts.map_or(NaiveTime::MIN, |starts| starts.time());
        local("an exception", at, clock)
    });
    let exceptions: Vec<_> = exceptions.collect();
    let is_all_day = front.starts.get_ref().time.is_none();
    let ends = match &front.ends {
        Some(ends) if ends.get_ref().time.is_none() != is_all_day => {
            let why = "starts and ends must both be dates, or both dates with a time";
            mistakes.push(document.mistake(ends, why));
            None
        }
        Some(ends) => local("ends", ends, NaiveTime::MIN),
        None if is_all_day => starts,
        None => {
            let why = "an event that starts at a time needs its end: ends is missing";
            mistakes.push(document.mistake(&front.starts, why));
            None
        }
    };
    // The exclusive end is the start of the next day (RFC 5545, 3.6.1).
    let ends = ends.and_then(|ends| {
        if is_all_day {
            ends.checked_add_days(Days::new(1))
        } else {
            Some(ends)
        }
    });
    if let (Some(starts), Some(ends), Some(at)) = (starts, ends, &front.ends)
        && ends < starts
    {
        mistakes.push(document.mistake(at, "the event ends before it begins"));
    }
    Some(Detail::Event(Event {
        is_all_day,
        zone,
        starts_local: written(starts?),
        ends_local: written(ends?),
        recurrence: front.recurrence.clone(),
        exceptions: exceptions.into_iter().flatten().map(written).collect(),
        venue: front.venue.clone(),
        address: front.address.clone(),
        category: front.category.clone(),
        neighbourhood: front.neighbourhood.clone(),
        is_free: front.is_free,
        price: front.price.clone(),
        website: front.website.clone(),
        ..Event::default()
    }))
}

fn written(at: NaiveDateTime) -> String {
    at.format("%Y-%m-%dT%H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::front::Front as _;

    fn read(own: &str) -> Result<Event, Vec<String>> {
        let text = format!("+++\nname = \"Market\"\npublished = 2026-10-30\n{own}\n+++\n");
        let document = Document::split("events/market.md", &text).expect("parts");
        let front: EventFront = document.front().map_err(|mistake| vec![mistake])?;
        let mut mistakes = Vec::new();
        let zone = chrono_tz::America::Toronto;
        match front.detail(&document, zone, &mut mistakes) {
            Some(Detail::Event(event)) if mistakes.is_empty() => Ok(event),
            _ => Err(mistakes),
        }
    }

    #[test]
    fn times_are_told_by_the_sites_clock_unless_the_event_has_its_own() {
        let own = "starts = 2026-06-01T18:00:00\nends = 2026-06-01T20:30:00\n\
            recurrence = \"FREQ=WEEKLY\"\nexceptions = [2026-06-08, 2026-06-15T18:00:00]";
        let event = read(own).expect("valid");
        assert_eq!(event.zone, "America/Toronto");
        assert_eq!(event.starts_local, "2026-06-01T18:00:00");
        assert_eq!(event.ends_local, "2026-06-01T20:30:00");
        assert_eq!(
            event.exceptions,
            ["2026-06-08T18:00:00", "2026-06-15T18:00:00"]
        );
        let elsewhere = read(&format!("{own}\ntimezone = \"America/Halifax\"")).expect("valid");
        assert_eq!(elsewhere.zone, "America/Halifax");
    }

    #[test]
    fn a_day_is_over_when_the_next_begins() {
        for (own, ends) in [
            ("starts = 2026-06-01", "2026-06-02T00:00:00"),
            (
                "starts = 2026-06-01\nends = 2026-06-03",
                "2026-06-04T00:00:00",
            ),
        ] {
            let event = read(own).expect("valid");
            assert!(event.is_all_day);
            assert_eq!(event.ends_local, ends);
        }
    }

    #[test]
    fn what_cannot_be_is_told_with_its_line() {
        for (own, line) in [
            ("starts = 2026-06-01T18:00:00", 4),
            ("starts = 2026-06-01T18:00:00\nends = 2026-06-01", 5),
            (
                "starts = 2026-06-01T18:00:00\nends = 2026-06-01T17:00:00",
                5,
            ),
            (
                "starts = 2026-06-01T18:00:00Z\nends = 2026-06-01T19:00:00",
                4,
            ),
            ("starts = 2026-06-01\ntimezone = \"Canada/Nowhere\"", 5),
            (
                "starts = 2026-06-01\nexceptions = [2026-06-02T09:00:00Z]",
                5,
            ),
        ] {
            let mistakes = read(own).expect_err("refused");
            let expected = format!("events/market.md, line {line}: ");
            assert!(mistakes[0].starts_with(&expected), "{own}: {mistakes:?}");
        }
    }
}
