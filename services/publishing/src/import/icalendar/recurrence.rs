//! Recurrence of events: `RRULE`, `RDATE` and `EXDATE`.

use chrono::{NaiveDateTime, NaiveTime};
use chrono_tz::Tz;

use super::{
    component::Component,
    lines::Property,
    times::{Moment, Origin, ZonedTime, moments},
    zones::Zones,
};

/// An event's start, zone and all-day flag, which its recurrence times follow.
#[derive(Debug, Clone, Copy)]
pub(super) struct First {
    pub(super) starts: NaiveDateTime,
    pub(super) zone: Tz,
    pub(super) is_all_day: bool,
}

#[derive(Debug, Default)]
pub(super) struct Recurrence {
    /// Value of `RRULE`; empty if there is none.
    pub(super) rule: String,
    /// Local starts of excluded occurrences, in the zone of the event's start.
    pub(super) exceptions: Vec<NaiveDateTime>,
    pub(super) additions: Vec<NaiveDateTime>,
}

/// Whether an event's properties specify more than one occurrence.
pub(super) fn recurs(event: &Component) -> bool {
    ["RRULE", "RDATE", "EXRULE"]
        .iter()
        .any(|name| event.get(name).is_some())
}

impl Recurrence {
    pub(super) fn read(event: &Component, first: First, zones: &Zones) -> Result<Self, String> {
        if let Some(property) = event.get("EXRULE") {
            let line = property.line;
            return Err(format!(
                "line {line}: a rule of exceptions (EXRULE) cannot be read"
            ));
        }
        let mut rules = event.all("RRULE");
        let rule = rules.next();
        if let Some(second) = rules.next() {
            return Err(format!("line {}: it has more than one RRULE", second.line));
        }
        let mut read = Self {
            rule: rule.map(self::rule).unwrap_or_default(),
            exceptions: first.times(event.all("EXDATE"), zones)?,
            additions: first.times(event.all("RDATE"), zones)?,
        };
        read.additions.retain(|at| *at != first.starts);
        if read.rule.is_empty() && read.additions.is_empty() {
            read.exceptions.clear();
        }
        Ok(read)
    }
}

impl First {
    /// Converts a time to a start of this event.
    pub(super) fn local(self, moment: Moment) -> NaiveDateTime {
        match moment {
            Moment::Time(time) if self.is_all_day && is_instant(time) => {
                time.seen_from(self.zone).date().and_time(NaiveTime::MIN)
            }
            _ if self.is_all_day => moment.day().and_time(NaiveTime::MIN),
            // Some programs write an exception of a timed event as a date.
            Moment::Day(day) => day.and_time(self.starts.time()),
            Moment::Time(time) => time.seen_from(self.zone),
        }
    }

    fn times<'a>(
        self,
        properties: impl Iterator<Item = &'a Property>,
        zones: &Zones,
    ) -> Result<Vec<NaiveDateTime>, String> {
        let mut found = Vec::new();
        for property in properties {
            if property
                .parameter("VALUE")
                .is_some_and(|kind| kind.eq_ignore_ascii_case("PERIOD"))
            {
                let (line, name) = (property.line, &property.name);
                return Err(format!("line {line}: periods in its {name} cannot be read"));
            }
            let moments = moments(property, zones)?.into_iter();
            found.extend(moments.map(|moment| self.local(moment)));
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

/// Whether a time in UTC is an instant, and not a date written as its midnight.
fn is_instant(time: ZonedTime) -> bool {
    time.origin == Origin::Utc && time.local.time() != NaiveTime::MIN
}

/// Returns the rule without extensions.
fn rule(property: &Property) -> String {
    let upper = property.value.trim().to_ascii_uppercase();
    let parts = upper.split(';').map(str::trim);
    let parts = parts.filter(|part| !part.is_empty() && !part.starts_with("X-"));
    parts.collect::<Vec<_>>().join(";")
}

/// Returns why times in a zone that only the file defines cannot recur; `None` if they can.
pub(super) fn refusal(origin: Origin, starts: &Property) -> Option<String> {
    (origin == Origin::OtherClock).then(|| {
        format!(
            "line {}: it recurs by a clock that no zone of IANA has",
            starts.line
        )
    })
}
