//! Calendar events and single-event calendar files. Times are local to the event's zone, so that a recurring event
//! keeps its hour when the clocks change.

use chassis::{
    error::{Code, Fault},
    origin::Origin,
    recurrence::by_days,
};
use chrono::{DateTime, NaiveDateTime, Utc};
use chrono_tz::Tz;
use editorial_proto::v1::{self as proto, Item, item::Detail};
use icalendar::{CalendarDateTime, Component, EventLike, Property};

use super::{
    content_line::{END, begin, printable},
    zone,
};

/// An event with its times parsed.
#[derive(Debug, Clone)]
pub(crate) struct CalendarEvent {
    item: Item,
    event: proto::Event,
    pub(super) zone: Tz,
    pub(super) starts: NaiveDateTime,
    ends: NaiveDateTime,
    exceptions: Vec<NaiveDateTime>,
    additions: Vec<NaiveDateTime>,
}

impl CalendarEvent {
    /// Parses the times of an event from editorial.
    pub(crate) fn new(mut item: Item) -> Result<Self, Fault> {
        let id = item.id;
        let refuse = |what: &str| Fault::new(Code::Internal, format!("event {id} has no {what}"));
        let Some(Detail::Event(event)) = item.detail.take() else {
            return Err(refuse("times"));
        };
        let local = |what: &str, text: &str| text.parse().map_err(|_| refuse(what));
        let times = |what: &str, texts: &[String]| {
            let times = texts.iter().map(|text| local(what, text));
            times.collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            zone: event.zone.parse().map_err(|_| refuse("zone"))?,
            starts: local("start", &event.starts_local)?,
            ends: local("end", &event.ends_local)?,
            exceptions: times("exception", &event.exceptions)?,
            additions: times("addition", &event.additions)?,
            item,
            event,
        })
    }

    /// Returns the name of the event's calendar file.
    pub(crate) fn file_name(&self) -> String {
        format!("{}.ics", self.item.slug)
    }

    /// Returns a calendar file with only this event. `revised` is the time of its last change.
    pub(crate) fn file(&self, site: &Origin, revised: DateTime<Utc>) -> String {
        let mut text = begin();
        if !self.event.is_all_day {
            text.push_str(&zone::component(self.zone, self.starts));
        }
        // Writing to a String cannot fail.
        text.push_str(
            &self
                .entry(site, revised)
                .try_into_string()
                .unwrap_or_default(),
        );
        text.push_str(END);
        text
    }

    /// Whether the event has dates without times.
    pub(super) fn is_all_day(&self) -> bool {
        self.event.is_all_day
    }

    /// Returns the event component. `revised` is the time of the event's last change.
    pub(super) fn entry(&self, site: &Origin, revised: DateTime<Utc>) -> icalendar::Event {
        let mut entry = icalendar::Event::new();
        // The id must not change with the event's name or page address.
        let host = site.host();
        entry.uid(&format!("event-{}@{host}", self.item.id));
        entry.sequence(u32::try_from(self.event.sequence).unwrap_or(u32::MAX));
        entry.timestamp(revised);
        entry.summary(&printable(&self.item.name));
        // The excerpt of an age-restricted event is empty here.
        if !self.item.excerpt.is_empty() {
            entry.description(&printable(&self.item.excerpt));
        }
        if !self.item.path.is_empty() {
            entry.url(&format!("{}{}", site.as_str(), self.item.path));
        }
        let place = [&self.event.venue, &self.event.address];
        let place: Vec<&str> = place.into_iter().map(String::as_str).collect();
        let place = place.into_iter().filter(|part| !part.is_empty());
        let place = place.collect::<Vec<_>>().join(", ");
        if !place.is_empty() {
            entry.location(&printable(&place));
        }
        if !self.event.category.is_empty() {
            entry.categories([&self.event.category]);
        }
        self.when(&mut entry);
        entry.done()
    }

    /// All-day events have dates and end on the day after the last (RFC 5545, 3.6.1); other times have a zone.
    fn when(&self, entry: &mut icalendar::Event) {
        let event = &self.event;
        if event.is_all_day {
            entry.starts(self.starts.date()).ends(self.ends.date());
        } else {
            entry.starts(self.at(self.starts)).ends(self.at(self.ends));
        }
        if !event.recurrence.is_empty() {
            let rule = if event.is_all_day {
                by_days(&event.recurrence, self.zone)
            } else {
                event.recurrence.clone()
            };
            entry.append_property(("RRULE", rule.as_str()));
        }
        for exception in &self.exceptions {
            if event.is_all_day {
                entry.exdate(exception.date());
            } else {
                entry.exdate(self.at(*exception));
            }
        }
        for addition in &self.additions {
            entry.append_multi_property(self.addition(*addition));
        }
    }

    /// Formats an additional occurrence (RFC 5545, 3.8.5.2).
    fn addition(&self, at: NaiveDateTime) -> Property {
        let (value, parameter) = if self.event.is_all_day {
            (at.format("%Y%m%d").to_string(), ("VALUE", "DATE"))
        } else {
            let time = at.format("%Y%m%dT%H%M%S").to_string();
            (time, ("TZID", self.zone.name()))
        };
        let mut property = Property::new("RDATE", value);
        property.add_parameter(parameter.0, parameter.1);
        property.done()
    }

    fn at(&self, date_time: NaiveDateTime) -> CalendarDateTime {
        CalendarDateTime::WithTimezone {
            date_time,
            tzid: self.zone.name().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests;
