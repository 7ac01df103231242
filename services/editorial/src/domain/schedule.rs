//! Schedules of events: local times in the event's zone, single or with a recurrence rule (RFC 5545).

use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike as _, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use rrule::RRuleSet;
use serde::{Deserialize, Serialize};

use super::{until, wall_clock::instant};

/// Maximum number of stored occurrences of an event.
const MAX: u16 = 500;
/// Maximum number of exceptions and additions of an event.
const MAX_TIMES: usize = 1_000;
/// Maximum number of occurrences per day.
const MAX_A_DAY: i64 = 48;
/// Maximum number of occurrences skipped before a window: daily occurrences of about 137 years.
const MAX_PAST: i64 = 50_000;
/// Years in which an event can begin.
const YEARS: RangeInclusive<i32> = 1900..=2199;
/// RFC 5545's format of local times.
const LOCAL: &str = "%Y%m%dT%H%M%S";

/// Returns the zone with this name. Aliases (`Canada/Eastern`) are replaced by the name that calendar files use.
pub(crate) fn zone(name: &str) -> Result<Tz, String> {
    let name = match name {
        "Canada/Atlantic" => "America/Halifax",
        "Canada/Central" => "America/Winnipeg",
        "Canada/Eastern" => "America/Toronto",
        "Canada/Mountain" => "America/Edmonton",
        "Canada/Newfoundland" => "America/St_Johns",
        "Canada/Pacific" => "America/Vancouver",
        "Canada/Saskatchewan" => "America/Regina",
        "Canada/Yukon" => "America/Whitehorse",
        name => name,
    };
    name.parse()
        .map_err(|_| format!("there is no time zone {name:?}"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Occurrence {
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) ends_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Schedule {
    /// Time zone (IANA).
    pub(crate) zone: Tz,
    /// Local times of the first occurrence.
    pub(crate) starts: NaiveDateTime,
    pub(crate) ends: NaiveDateTime,
    /// Whether the event has dates instead of times: it then starts and ends at midnight.
    pub(crate) is_all_day: bool,
    /// Value of `RRULE`; empty for a single occurrence.
    pub(crate) rule: String,
    /// Local starts of occurrences that the rule includes but that do not take place.
    pub(crate) exceptions: Vec<NaiveDateTime>,
    /// Local starts of occurrences that the rule does not include.
    pub(crate) additions: Vec<NaiveDateTime>,
}

impl Schedule {
    /// Normalises the end of the rule and the dates of an all-day event.
    pub(crate) fn normalize(&mut self) {
        self.rule = until::in_utc(&self.rule, self.zone, self.is_all_day);
        if self.is_all_day {
            for at in self.exceptions.iter_mut().chain(&mut self.additions) {
                *at = at.date().and_time(NaiveTime::MIN);
            }
        }
    }

    /// Checks that the schedule can be expanded.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.ends < self.starts {
            return Err("the event ends before it begins".to_owned());
        }
        let times = [self.starts, self.ends].into_iter();
        for at in times.chain(self.additions.iter().copied()) {
            if !YEARS.contains(&at.year()) {
                return Err(format!("there are no events in the year {}", at.year()));
            }
        }
        if self.exceptions.len().max(self.additions.len()) > MAX_TIMES {
            return Err(format!(
                "it has more than {MAX_TIMES} exceptions or additions"
            ));
        }
        if self.rule.chars().any(char::is_control) {
            return Err(format!("the recurrence {:?} is no single line", self.rule));
        }
        if !self.rule.is_empty() {
            let a_day = self.most_a_day();
            if a_day > MAX_A_DAY {
                return Err(format!(
                    "the recurrence {:?} is for more than {MAX_A_DAY} times a day",
                    self.rule
                ));
            }
        }
        if self.recurs() {
            self.rule_set()?;
        } else if !self.exceptions.is_empty() {
            return Err("exceptions need a recurrence".to_owned());
        }
        Ok(())
    }

    /// Returns the occurrences that overlap a window, earliest first; a single occurrence is always included.
    /// Occurrences keep their local time across clock changes.
    pub(crate) fn occurrences(
        &self,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<Vec<Occurrence>, String> {
        let length = self.ends - self.starts;
        if !self.recurs() {
            return Ok(vec![self.occurrence(self.starts, length)]);
        }
        let window = |at: DateTime<Utc>| at.with_timezone(&rrule::Tz::Tz(self.zone));
        // An occurrence that began before the window may overlap it.
        let begin = from - length - TimeDelta::hours(2);
        let past = (begin - self.instant(self.starts)).num_days();
        if past.saturating_mul(self.most_a_day()) > MAX_PAST {
            return Err(format!(
                "the recurrence {:?} began too long ago for how often it is",
                self.rule
            ));
        }
        let set = self.rule_set()?.after(window(begin)).before(window(to));
        let found = set.all(MAX).dates.into_iter();
        Ok(found
            .map(|start| self.occurrence(start.naive_local(), length))
            .filter(|occurrence| occurrence.ends_at >= from && occurrence.starts_at < to)
            .collect())
    }

    /// Returns the start of the first occurrence.
    pub(crate) fn starts_at(&self) -> DateTime<Utc> {
        self.instant(self.starts)
    }

    /// Returns the end of the first occurrence.
    pub(crate) fn ends_at(&self) -> DateTime<Utc> {
        self.instant(self.ends)
    }

    /// Whether the event has more than one occurrence.
    pub(crate) fn recurs(&self) -> bool {
        !self.rule.is_empty() || !self.additions.is_empty()
    }

    /// Removes occurrences, whose starts are local times in a zone. The times are sorted, so that their order is
    /// independent of the order of arrival.
    pub(crate) fn leave_out(&mut self, starts: impl IntoIterator<Item = (NaiveDateTime, Tz)>) {
        if !self.recurs() {
            return;
        }
        for (starts, zone) in starts {
            self.exceptions.push(self.start_of(starts, zone));
        }
        self.exceptions.sort_unstable();
        self.exceptions.dedup();
    }

    /// Returns the start of the occurrence at a time, or on a date given as midnight.
    fn start_of(&self, at: NaiveDateTime, zone: Tz) -> NaiveDateTime {
        if self.is_all_day {
            return until::day_of(at, zone, self.zone).and_time(NaiveTime::MIN);
        }
        let local = instant(zone, at).with_timezone(&self.zone).naive_local();
        let is_day = at.time() == NaiveTime::MIN
            && local.time() != self.starts.time()
            && self.most_a_day() == 1
            && !self.additions.contains(&local);
        if is_day {
            at.date().and_time(self.starts.time())
        } else {
            local
        }
    }

    /// Returns an upper bound of the number of occurrences per day.
    fn most_a_day(&self) -> i64 {
        let rule = self.rule.to_ascii_uppercase();
        let value = |name: &str| {
            let mut parts = rule.split(';').filter_map(|part| part.split_once('='));
            parts.find_map(|(key, value)| (key.trim() == name).then(|| value.trim()))
        };
        let each = |by: &str, is_below: bool, all: i64| match value(by) {
            Some(list) => i64::try_from(list.split(',').count()).unwrap_or(i64::MAX),
            None if is_below => all,
            None => 1,
        };
        let frequency = value("FREQ").unwrap_or_default();
        let is_secondly = frequency == "SECONDLY";
        let is_minutely = is_secondly || frequency == "MINUTELY";
        let is_hourly = is_minutely || frequency == "HOURLY";
        each("BYHOUR", is_hourly, 24)
            .saturating_mul(each("BYMINUTE", is_minutely, 60))
            .saturating_mul(each("BYSECOND", is_secondly, 60))
    }

    fn occurrence(&self, starts: NaiveDateTime, length: TimeDelta) -> Occurrence {
        let starts_at = self.instant(starts);
        Occurrence {
            starts_at,
            ends_at: self.instant(starts + length).max(starts_at),
        }
    }

    fn instant(&self, local: NaiveDateTime) -> DateTime<Utc> {
        instant(self.zone, local)
    }

    fn rule_set(&self) -> Result<RRuleSet, String> {
        let zone = self.zone.name();
        let mut text = format!("DTSTART;TZID={zone}:{}", self.starts.format(LOCAL));
        let mut list = |name: &str, times: &[NaiveDateTime]| {
            let times = times.iter();
            text.extend(times.map(|at| format!("\n{name};TZID={zone}:{}", at.format(LOCAL))));
        };
        list("EXDATE", &self.exceptions);
        list("RDATE", &self.additions);
        if self.rule.is_empty() {
            // Without a rule, the start is an occurrence like the additions.
            list("RDATE", &[self.starts]);
        } else {
            text.push_str("\nRRULE:");
            text.push_str(&self.rule);
        }
        text.parse()
            .map_err(|error| format!("the recurrence {:?} is wrong: {error}", self.rule))
    }
}

#[cfg(test)]
mod tests;
