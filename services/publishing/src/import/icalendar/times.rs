//! The moments that properties tell (RFC 5545, 3.3.4 and 3.3.5).

use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use chrono_tz::Tz;

use super::{
    lines::Property,
    values::{Duration, clock_time, date, instant},
    zones::{Clock, Zones, is_utc},
};

/// The years in which there are events.
const YEARS: RangeInclusive<i32> = 1900..=2199;

/// A day, or a time by the clock of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Day(NaiveDate),
    Time(ZonedTime),
}

/// A time by the clock of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ZonedTime {
    pub(super) local: NaiveDateTime,
    pub(super) zone: Tz,
    pub(super) origin: Origin,
}

/// How a time is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// In a zone of IANA, or in that of the calendar.
    Zone,
    /// In UTC.
    Utc,
    /// By the rules of a zone that only the file knows, where the clock shows another time.
    OtherClock,
}

impl ZonedTime {
    pub(super) fn instant(self) -> DateTime<Utc> {
        instant(self.zone, self.local)
    }

    /// The time that a duration later: the clock shows the same time after days, and hours are exact.
    pub(super) fn after(self, duration: Duration) -> Self {
        let local = self.local + TimeDelta::days(duration.days);
        let local = if duration.exact.is_zero() {
            local
        } else {
            let end = instant(self.zone, local) + duration.exact;
            end.with_timezone(&self.zone).naive_local()
        };
        Self { local, ..self }
    }

    /// The same instant by the clock of another zone.
    pub(super) fn seen_from(self, zone: Tz) -> NaiveDateTime {
        if zone == self.zone {
            self.local
        } else {
            self.instant().with_timezone(&zone).naive_local()
        }
    }
}

impl Moment {
    /// The day by its own clock.
    pub(super) fn day(self) -> NaiveDate {
        match self {
            Self::Day(day) => day,
            Self::Time(time) => time.local.date(),
        }
    }
}

/// The moments of a property, which may be a list.
pub(super) fn moments(property: &Property, zones: &Zones) -> Result<Vec<Moment>, String> {
    let values = property.value.split(',').map(str::trim);
    let values = values.filter(|value| !value.is_empty());
    values.map(|value| moment(property, value, zones)).collect()
}

/// The only moment of a property.
pub(super) fn only(property: &Property, zones: &Zones) -> Result<Moment, String> {
    moment(property, property.value.trim(), zones)
}

fn moment(property: &Property, value: &str, zones: &Zones) -> Result<Moment, String> {
    let unread = |why: &str| {
        let (line, name) = (property.line, &property.name);
        let value: String = value.chars().take(80).collect();
        format!("line {line}: its {name} {value:?} {why}")
    };
    let (digits, is_instant) = match value.strip_suffix(['Z', 'z']) {
        Some(digits) => (digits, true),
        None => (value, false),
    };
    let (day, time) = digits.split_once(['T', 't']).unwrap_or((digits, ""));
    let day = date(day).ok_or_else(|| unread("is no date"))?;
    // The end of a day is the beginning of the next one.
    let (day, time) = match time {
        "240000" => (day.succ_opt().unwrap_or(day), "000000"),
        time => (day, time),
    };
    if !YEARS.contains(&day.year()) {
        return Err(unread("is in no year that has events"));
    }
    let is_day = property
        .parameter("VALUE")
        .is_some_and(|kind| kind.eq_ignore_ascii_case("DATE"));
    if time.is_empty() || is_day {
        return Ok(Moment::Day(day));
    }
    let time = clock_time(time).ok_or_else(|| unread("is no time"))?;
    let local = day.and_time(time);
    let in_zone = |zone| {
        let (zone, origin) = if is_utc(zone) {
            (Tz::UTC, Origin::Utc)
        } else {
            (zone, Origin::Zone)
        };
        ZonedTime {
            local,
            zone,
            origin,
        }
    };
    if is_instant {
        return Ok(Moment::Time(in_zone(Tz::UTC)));
    }
    let time = match property
        .parameter("TZID")
        .map(str::trim)
        .filter(|id| !id.is_empty())
    {
        None => in_zone(zones.floating()),
        Some(id) => match zones.clock(id).map_err(|why| unread(&why))? {
            Clock::Iana(zone) => in_zone(zone),
            Clock::Own(rules) => {
                let at = local - TimeDelta::seconds(rules.offset(local).into());
                let zone = zones.of_instants();
                let seen = at.and_utc().with_timezone(&zone).naive_local();
                let origin = if seen == local {
                    Origin::Zone
                } else {
                    Origin::OtherClock
                };
                ZonedTime {
                    local: seen,
                    zone,
                    origin,
                }
            }
        },
    };
    Ok(Moment::Time(time))
}
