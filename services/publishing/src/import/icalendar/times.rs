//! Dates and times of properties (RFC 5545, 3.3.4 and 3.3.5).

use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use chrono_tz::Tz;

use super::{
    lines::Property,
    values::{Duration, clock_time, date, instant},
    zones::{Clock, Zones, is_utc},
};

/// Years in which events are accepted.
const YEARS: RangeInclusive<i32> = 1900..=2199;

/// A date, or a local time in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Day(NaiveDate),
    Time(ZonedTime),
}

/// A local time in a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ZonedTime {
    pub(super) local: NaiveDateTime,
    pub(super) zone: Tz,
    pub(super) origin: Origin,
}

/// The format of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// In an IANA zone or in the calendar's zone.
    Zone,
    /// In UTC.
    Utc,
    /// In a zone that only the file defines, whose local time has been converted.
    OtherClock,
}

impl ZonedTime {
    pub(super) fn instant(self) -> DateTime<Utc> {
        instant(self.zone, self.local)
    }

    /// Returns the time after a duration: days preserve the local time, and hours are exact.
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

    /// Converts to the local time of another zone.
    pub(super) fn seen_from(self, zone: Tz) -> NaiveDateTime {
        if zone == self.zone {
            self.local
        } else {
            self.instant().with_timezone(&zone).naive_local()
        }
    }
}

impl Moment {
    pub(super) fn day(self) -> NaiveDate {
        match self {
            Self::Day(day) => day,
            Self::Time(time) => time.local.date(),
        }
    }
}

/// Parses the dates or times of a property, which may be a list.
pub(super) fn moments(property: &Property, zones: &Zones) -> Result<Vec<Moment>, String> {
    let values = property.value.split(',').map(str::trim);
    let values = values.filter(|value| !value.is_empty());
    values.map(|value| moment(property, value, zones)).collect()
}

/// Parses the only date or time of a property.
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
    // 24:00 is the beginning of the next day.
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
