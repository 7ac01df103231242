//! When an event happens: wall-clock times in its zone, once or by a recurrence rule (RFC 5545).

use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike as _, NaiveDateTime, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use rrule::RRuleSet;
use serde::{Deserialize, Serialize};

use super::{until, wall_clock::instant};

/// Occurrences of one event that are kept at a time.
const MAX: u16 = 500;
/// Exceptions and additions of one event.
const MAX_TIMES: usize = 1_000;
/// Occurrences of one day.
const MAX_A_DAY: i64 = 48;
/// Occurrences that are passed over to reach a window: 130 years of days.
const MAX_PAST: i64 = 50_000;
/// The years in which an event can begin.
const YEARS: RangeInclusive<i32> = 1900..=2199;
/// RFC 5545's format of local times.
const LOCAL: &str = "%Y%m%dT%H%M%S";

/// The zone of a name; aliases (`Canada/Eastern`) are accepted, and replaced by the name that calendar files
/// use.
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

/// One occurrence of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Occurrence {
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) ends_at: DateTime<Utc>,
}

/// When an event happens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Schedule {
    /// IANA name.
    pub(crate) zone: Tz,
    /// Wall-clock times of the first occurrence.
    pub(crate) starts: NaiveDateTime,
    pub(crate) ends: NaiveDateTime,
    /// Whether it has days rather than times: it starts and ends at midnight.
    pub(crate) is_all_day: bool,
    /// The value of `RRULE`; empty: once.
    pub(crate) rule: String,
    /// Wall-clock starts that the rule leaves out.
    pub(crate) exceptions: Vec<NaiveDateTime>,
    /// Wall-clock starts of occurrences that the rule does not have.
    pub(crate) additions: Vec<NaiveDateTime>,
}

impl Schedule {
    /// Brings the end of the rule, and the days of an all-day event, into one form.
    pub(crate) fn normalize(&mut self) {
        self.rule = until::in_utc(&self.rule, self.zone, self.is_all_day);
        if self.is_all_day {
            for at in self.exceptions.iter_mut().chain(&mut self.additions) {
                *at = at.date().and_time(NaiveTime::MIN);
            }
        }
    }

    /// Checks that it can be expanded.
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

    /// Its occurrences that touch a window, the earliest first; a single occurrence is always included. The
    /// wall clock counts: a market at nine is at nine on both sides of a clock change.
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
        // An occurrence that began before the window may reach into it.
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

    /// The instant of its first start.
    pub(crate) fn starts_at(&self) -> DateTime<Utc> {
        self.instant(self.starts)
    }

    /// The instant of its first end.
    pub(crate) fn ends_at(&self) -> DateTime<Utc> {
        self.instant(self.ends)
    }

    /// Whether it happens more than once.
    pub(crate) fn recurs(&self) -> bool {
        !self.rule.is_empty() || !self.additions.is_empty()
    }

    /// Leaves out occurrences, whose starts are local to a zone. The times are sorted, so that their order does not depend on
    /// the order in which they became known.
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

    /// The start of the occurrence that a time or, as midnight, a day names.
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

    /// An upper bound of its occurrences in a day.
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
            // Without a rule, the start is an occurrence like those that are added.
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
