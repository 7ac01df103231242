//! Events of a calendar.

use chassis::digest;
use chrono::{Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use chrono_tz::Tz;
use editorial_proto::v1::{Event, ImportItem, Kind, ReplacedOccurrence};

use super::{
    component::Component,
    lines::Property,
    recurrence::{self, First, Recurrence},
    times::{Moment, Origin, ZonedTime, only},
    values::{self, Duration},
    zones::{Zones, is_utc},
};
use crate::import::{
    events::{self, Draft},
    text,
};

/// Maximum length of an id that is not hashed, in bytes.
const MAX_ID: usize = 180;

/// Properties of a calendar that apply to all its events.
#[derive(Debug)]
pub(super) struct Calendar {
    /// The value of `METHOD` in capitals; empty means published.
    method: String,
    pub(super) zones: Zones,
}

impl Calendar {
    pub(super) fn new(site: Tz) -> Self {
        Self {
            method: String::new(),
            zones: Zones::new(site),
        }
    }

    /// Reads a property of the calendar.
    pub(super) fn take(&mut self, property: &Property) {
        match property.name.as_str() {
            "METHOD" => self.method = property.text().trim().to_ascii_uppercase(),
            "X-WR-TIMEZONE" => self.zones.float_in(&property.text()),
            _ => {}
        }
    }
}

/// Converts an event to a proposal, or returns the reason why it is rejected.
pub(super) fn proposal(
    position: &str,
    event: &Component,
    calendar: &Calendar,
) -> Result<ImportItem, String> {
    match calendar.method.as_str() {
        "" | "PUBLISH" | "REQUEST" | "ADD" | "CANCEL" => {}
        other => return Err(format!("it is an answer of a guest (METHOD:{other})")),
    }
    let zones = &calendar.zones;
    let Identity {
        uid,
        name,
        source_id,
        replaces,
    } = Identity::read(event, zones)?;
    let is_cancelled = calendar.method == "CANCEL" || says(event, "STATUS", "CANCELLED");
    let replaces = replaces.map(|moment| occurrence(&uid, moment, zones));
    if is_cancelled {
        return Ok(ImportItem {
            position: position.to_owned(),
            kind: Kind::Event.into(),
            source_id,
            name,
            is_cancelled,
            replaces,
            yields: true,
            ..ImportItem::default()
        });
    }
    let class = event.text("CLASS").trim().to_ascii_uppercase();
    if matches!(class.as_str(), "PRIVATE" | "CONFIDENTIAL") {
        return Err(format!("it is not public (CLASS:{class})"));
    }
    let mut description = event.text("DESCRIPTION");
    if description.trim().is_empty() {
        description = event.text("X-ALT-DESC");
    }
    let draft = Draft {
        source_id,
        name,
        description,
        tags: events::tags(event.all("CATEGORIES").flat_map(Property::texts)),
        event: when_and_where(event, zones)?,
    };
    Ok(ImportItem {
        replaces,
        ..draft.item(position)?
    })
}

pub(super) struct Identity {
    uid: String,
    name: String,
    pub(super) source_id: String,
    /// Start of the occurrence that the event replaces.
    replaces: Option<Moment>,
}

impl Identity {
    pub(super) fn read(event: &Component, zones: &Zones) -> Result<Self, String> {
        let replaces = event
            .get("RECURRENCE-ID")
            .map(|of| replaced(of, zones))
            .transpose()?;
        let uid = event.text("UID").trim().to_owned();
        let name = text::line(&event.text("SUMMARY"));
        let source_id = source_id(&uid, replaces.as_ref(), || {
            let key = match starts(event, zones)? {
                Moment::Day(day) => day.to_string(),
                Moment::Time(time) => time.instant().to_rfc3339(),
            };
            Ok(format!("{}\n{key}\n{name}", event.text("URL").trim()))
        })?;
        Ok(Self {
            uid,
            name,
            source_id,
            replaces,
        })
    }
}

fn says(event: &Component, name: &str, value: &str) -> bool {
    event.text(name).trim().eq_ignore_ascii_case(value)
}

fn starts(event: &Component, zones: &Zones) -> Result<Moment, String> {
    let starts = event.get("DTSTART").ok_or("it has no start (DTSTART)")?;
    only(starts, zones)
}

/// Returns the occurrence that an event replaces.
fn replaced(property: &Property, zones: &Zones) -> Result<Moment, String> {
    if property.parameter("RANGE").is_some() {
        return Err(format!(
            "line {}: it changes all later occurrences of an event (RANGE), which cannot be read",
            property.line
        ));
    }
    only(property, zones)
}

/// Returns the source id: the event's id with the replaced occurrence, or the result of `else_of` without an id.
fn source_id(
    uid: &str,
    replaces: Option<&Moment>,
    else_of: impl FnOnce() -> Result<String, String>,
) -> Result<String, String> {
    let id = match (uid.is_empty(), replaces) {
        (false, _) => series(uid),
        (true, None) => format!("ical:{}", digest::hex(else_of()?, 16)),
        (true, Some(_)) => return Err("it changes another event, but has no id (UID)".to_owned()),
    };
    Ok(match replaces {
        None => id,
        Some(Moment::Day(day)) => format!("{id}#{}", day.format("%Y%m%d")),
        Some(Moment::Time(time)) => format!("{id}#{}", time.instant().format("%Y%m%dT%H%M%SZ")),
    })
}

/// Returns the source id for an event's id, which all its occurrences share.
fn series(uid: &str) -> String {
    if uid.len() <= MAX_ID {
        format!("ical:{uid}")
    } else {
        format!("ical:{}", digest::hex(uid, 16))
    }
}

fn occurrence(uid: &str, moment: Moment, zones: &Zones) -> ReplacedOccurrence {
    let (starts, zone) = match moment {
        Moment::Day(day) => (day.and_time(NaiveTime::MIN), zones.of_instants()),
        Moment::Time(time) => (time.local, time.zone),
    };
    ReplacedOccurrence {
        series: series(uid),
        starts_local: events::written(starts),
        zone: zone.name().to_owned(),
    }
}

/// Parses times, place and page.
fn when_and_where(event: &Component, zones: &Zones) -> Result<Event, String> {
    let starts_at = event.get("DTSTART").ok_or("it has no start (DTSTART)")?;
    let first = only(starts_at, zones)?;
    let zone = zone(first, recurrence::recurs(event), zones);
    let (starts, ends, is_all_day) = span(event, first, zone, zones)?;
    // Dates do not identify instants, so the zone UTC is replaced.
    let zone = if is_all_day && is_utc(zone) {
        zones.of_instants()
    } else {
        zone
    };
    if recurrence::recurs(event)
        && let Moment::Time(time) = first
        && let Some(why) = recurrence::refusal(time.origin, starts_at)
    {
        return Err(why);
    }
    let times = First {
        starts,
        zone,
        is_all_day,
    };
    let again = Recurrence::read(event, times, zones)?;
    let (venue, address) = place(&event.text("LOCATION"));
    let website = event.text("URL").trim().to_owned();
    Ok(Event {
        zone: zone.name().to_owned(),
        is_all_day,
        starts_local: events::written(starts),
        ends_local: events::written(ends),
        recurrence: again.rule,
        exceptions: again.exceptions.into_iter().map(events::written).collect(),
        additions: again.additions.into_iter().map(events::written).collect(),
        venue,
        address,
        website: Some(website)
            .filter(|url| url.starts_with("https://") || url.starts_with("http://"))
            .unwrap_or_default(),
        ..Event::default()
    })
}

/// Returns the zone of an event: its own, if it has one. A UTC time is converted to the calendar's zone, while an event
/// that recurs in UTC remains in UTC.
fn zone(first: Moment, recurs: bool, zones: &Zones) -> Tz {
    match first {
        Moment::Time(time) if time.origin != Origin::Utc || recurs => time.zone,
        _ => zones.of_instants(),
    }
}

/// Returns start, end and whether the event lasts all day. An all-day event ends on the day after its last day (RFC
/// 5545, 3.6.1). An end before the start is a mistake, and is replaced by the start.
fn span(
    event: &Component,
    first: Moment,
    zone: Tz,
    zones: &Zones,
) -> Result<(NaiveDateTime, NaiveDateTime, bool), String> {
    let end = event.get("DTEND").map(|end| only(end, zones)).transpose()?;
    let length = event.get("DURATION").map(length).transpose()?;
    let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN);
    match first {
        Moment::Day(day) => {
            let next = day.checked_add_days(Days::new(1)).unwrap_or(day);
            let end = match (end, length) {
                (Some(Moment::Day(end)), _) => end,
                (Some(Moment::Time(end)), _) => {
                    let last = end.local - TimeDelta::seconds(1);
                    last.date().checked_add_days(Days::new(1)).unwrap_or(day)
                }
                (None, Some(length)) => (midnight(day) + length.nominal()).date(),
                (None, None) => next,
            };
            Ok((midnight(day), midnight(end.max(next)), true))
        }
        Moment::Time(time) => {
            let starts = time.seen_from(zone);
            let end = match (end, length) {
                (Some(Moment::Time(end)), _) => end,
                (Some(Moment::Day(end)), _) => ZonedTime {
                    local: midnight(end),
                    zone,
                    ..time
                },
                (None, length) => time.after(length.unwrap_or_default()),
            };
            // Outlook writes all-day dates as times.
            let (first, last) = (time.local, end.local);
            if says(event, "X-MICROSOFT-CDO-ALLDAYEVENT", "TRUE")
                && [first, last].iter().all(|at| at.time() == NaiveTime::MIN)
                && first < last
            {
                return Ok((first, last, true));
            }
            Ok((starts, end.seen_from(zone).max(starts), false))
        }
    }
}

fn length(property: &Property) -> Result<Duration, String> {
    values::duration(&property.value).ok_or_else(|| {
        let value: String = property.value.chars().take(80).collect();
        format!("line {}: its DURATION {value:?} is none", property.line)
    })
}

/// Splits a place, which is separated by line breaks or commas, into venue and address: a part that begins with a
/// number is not a venue. A country is not part of an address in a city.
fn place(location: &str) -> (String, String) {
    let location = location.trim();
    let separator = if location.contains('\n') { '\n' } else { ',' };
    let parts = location.split(separator).map(text::line);
    let mut parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    let is_country = |part: &String| matches!(part.as_str(), "Canada" | "United States" | "USA");
    if parts.len() > 2 && parts.last().is_some_and(is_country) {
        parts.pop();
    }
    let is_address = |part: &str| part.starts_with(|letter: char| letter.is_ascii_digit());
    match parts.split_first() {
        None => (String::new(), String::new()),
        Some((first, _)) if is_address(first) => (String::new(), parts.join(", ")),
        Some((first, rest)) => (first.clone(), rest.join(", ")),
    }
}
