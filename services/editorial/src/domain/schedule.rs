//! When an event happens: wall-clock times in its zone, once or by a recurrence rule (RFC 5545).

use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike as _, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use rrule::RRuleSet;
use serde::{Deserialize, Serialize};

/// Occurrences of one event that are kept at a time.
const MOST: u16 = 500;
/// Exceptions and additions of one event.
const MOST_TIMES: usize = 1_000;
/// Occurrences of one day.
const MOST_A_DAY: i64 = 48;
/// Occurrences that are passed over to reach a window: 130 years of days.
const MOST_PAST: i64 = 50_000;
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
    #[serde(default)]
    pub(crate) additions: Vec<NaiveDateTime>,
}

impl Schedule {
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
        if self.exceptions.len().max(self.additions.len()) > MOST_TIMES {
            return Err(format!(
                "it has more than {MOST_TIMES} exceptions or additions"
            ));
        }
        if self.rule.chars().any(char::is_control) {
            return Err(format!("the recurrence {:?} is no single line", self.rule));
        }
        if !self.rule.is_empty() {
            let a_day = self.most_a_day();
            if a_day > MOST_A_DAY {
                return Err(format!(
                    "the recurrence {:?} is for more than {MOST_A_DAY} times a day",
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
        if past.saturating_mul(self.most_a_day()) > MOST_PAST {
            return Err(format!(
                "the recurrence {:?} began too long ago for how often it is",
                self.rule
            ));
        }
        let set = self.rule_set()?.after(window(begin)).before(window(to));
        let found = set.all(MOST).dates.into_iter();
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

    /// Leaves out occurrences, which are told by the clock of a zone. The times are sorted, so that their order does not
    /// depend on the order in which they became known.
    pub(crate) fn leave_out(&mut self, starts: impl IntoIterator<Item = (NaiveDateTime, Tz)>) {
        if !self.recurs() {
            return;
        }
        for (starts, zone) in starts {
            let local = if self.is_all_day {
                starts.date().and_time(NaiveTime::MIN)
            } else if zone == self.zone {
                starts
            } else {
                let at = instant(zone, starts);
                at.with_timezone(&self.zone).naive_local()
            };
            self.exceptions.push(local);
        }
        self.exceptions.sort_unstable();
        self.exceptions.dedup();
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

/// The instant of a wall-clock time: the first one if the time occurs twice; if a clock change skips it,
/// the instant by the offset before the change (RFC 5545, 3.3.5).
fn instant(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    let found = zone.from_local_datetime(&local);
    found.earliest().map_or_else(
        || {
            let before = local - TimeDelta::hours(3);
            let offset = zone.offset_from_utc_datetime(&before);
            let seconds = chrono::Offset::fix(&offset).local_minus_utc();
            Utc.from_utc_datetime(&(local - TimeDelta::seconds(seconds.into())))
        },
        |at| at.to_utc(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(text: &str) -> NaiveDateTime {
        text.parse().expect("a local time")
    }

    fn utc(text: &str) -> DateTime<Utc> {
        text.parse().expect("an instant")
    }

    fn schedule(starts: &str, ends: &str, rule: &str) -> Schedule {
        Schedule {
            zone: zone("Canada/Eastern").expect("a zone"),
            starts: local(starts),
            ends: local(ends),
            is_all_day: false,
            rule: rule.to_owned(),
            exceptions: Vec::new(),
            additions: Vec::new(),
        }
    }

    fn starts(schedule: &Schedule, from: &str, to: &str) -> Vec<String> {
        let found = schedule.occurrences(utc(from), utc(to)).expect("expands");
        found
            .iter()
            .map(|one| chassis::instant::to_rfc3339(one.starts_at)[..16].to_owned())
            .collect()
    }

    #[test]
    fn a_weekly_market_keeps_its_hour_over_both_clock_changes() {
        let market = schedule(
            "2026-03-01T09:00:00",
            "2026-03-01T14:00:00",
            "FREQ=WEEKLY;COUNT=40",
        );
        let spring = starts(&market, "2026-03-01T00:00:00Z", "2026-03-16T00:00:00Z");
        assert_eq!(
            spring,
            ["2026-03-01T14:00", "2026-03-08T13:00", "2026-03-15T13:00"]
        );
        let autumn = starts(&market, "2026-10-25T00:00:00Z", "2026-11-09T00:00:00Z");
        assert_eq!(
            autumn,
            ["2026-10-25T13:00", "2026-11-01T14:00", "2026-11-08T14:00"]
        );
    }

    #[test]
    fn a_night_over_a_clock_change_ends_by_the_wall_clock() {
        let night = schedule("2026-03-07T22:00:00", "2026-03-08T04:00:00", "");
        let found = night
            .occurrences(DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH)
            .expect("expands");
        // Six hours on the clock, five on the road.
        assert_eq!(found[0].ends_at - found[0].starts_at, TimeDelta::hours(5));
    }

    #[test]
    fn a_time_that_a_clock_change_leaves_out_is_what_the_clock_shows_instead() {
        let lost = schedule("2026-03-08T02:30:00", "2026-03-08T02:45:00", "");
        let found = lost
            .occurrences(DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH)
            .expect("expands");
        assert_eq!(found[0].starts_at, utc("2026-03-08T07:30:00Z"));
        let twice = schedule("2026-11-01T01:30:00", "2026-11-01T01:45:00", "");
        let found = twice
            .occurrences(DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH)
            .expect("expands");
        assert_eq!(found[0].starts_at, utc("2026-11-01T05:30:00Z"));
    }

    #[test]
    fn exceptions_are_left_out_and_an_endless_rule_ends_at_the_window() {
        let mut daily = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "FREQ=DAILY");
        daily.exceptions.push(local("2026-06-02T18:00:00"));
        let found = starts(&daily, "2026-06-01T00:00:00Z", "2026-06-04T00:00:00Z");
        assert_eq!(found, ["2026-06-01T22:00", "2026-06-03T22:00"]);
        let years = daily
            .occurrences(utc("2026-06-01T00:00:00Z"), utc("2126-06-01T00:00:00Z"))
            .expect("expands");
        assert_eq!(years.len(), usize::from(MOST));
    }

    #[test]
    fn what_is_on_when_the_window_begins_is_within() {
        let daily = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "FREQ=DAILY");
        let found = starts(&daily, "2026-06-02T23:00:00Z", "2026-06-03T12:00:00Z");
        assert_eq!(found, ["2026-06-02T22:00"]);
    }

    #[test]
    fn days_are_added_with_a_rule_or_without() {
        let mut fair = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "");
        fair.additions.push(local("2026-06-20T18:00:00"));
        fair.additions.push(local("2026-06-09T10:00:00"));
        let (from, to) = ("2026-05-01T00:00:00Z", "2026-08-01T00:00:00Z");
        let expected = ["2026-06-01T22:00", "2026-06-09T14:00", "2026-06-20T22:00"];
        assert_eq!(starts(&fair, from, to), expected);
        fair.exceptions.push(local("2026-06-01T18:00:00"));
        assert_eq!(starts(&fair, from, to), expected[1..]);
        fair.rule = "FREQ=DAILY;COUNT=2".to_owned();
        let expected = ["2026-06-02T22:00", "2026-06-09T14:00", "2026-06-20T22:00"];
        assert_eq!(starts(&fair, from, to), expected);
    }

    #[test]
    fn occurrences_are_left_out_by_whatever_clock_they_are_told() {
        let mut daily = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "FREQ=DAILY");
        let toronto = daily.zone;
        daily.leave_out([
            (local("2026-06-03T18:00:00"), toronto),
            (local("2026-06-02T22:00:00"), Tz::UTC),
            (local("2026-06-02T18:00:00"), toronto),
        ]);
        let expected = [local("2026-06-02T18:00:00"), local("2026-06-03T18:00:00")];
        assert_eq!(daily.exceptions, expected);
        let mut once = schedule("2026-06-01T18:00:00", "2026-06-01T20:00:00", "");
        once.leave_out([(once.starts, toronto)]);
        assert!(once.exceptions.is_empty());
    }

    #[test]
    fn a_rule_that_would_take_for_ever_is_refused_at_once() {
        let (starts, ends) = ("2026-06-01T18:00:00", "2026-06-01T18:00:00");
        for rule in [
            "FREQ=SECONDLY",
            "freq=minutely;COUNT=5",
            "FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7;BYMINUTE=1,2,3,4,5,6,7",
            "FREQ=HOURLY;BYMINUTE=0,20,40",
        ] {
            let refused = schedule(starts, ends, rule).check().expect_err(rule);
            assert!(refused.contains("times a day"), "{refused}");
        }
        let (from, to) = (utc("2026-06-01T00:00:00Z"), utc("2027-06-01T00:00:00Z"));
        let hours = schedule("1990-06-01T18:00:00", "1990-06-01T18:00:00", "FREQ=HOURLY");
        hours.check().expect("a rule");
        hours.occurrences(from, to).expect_err("too long ago");
        for rule in [
            "FREQ=DAILY;COUNT=1000000000",
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        ] {
            let odd = schedule("1900-06-01T18:00:00", "1900-06-01T18:00:00", rule);
            let begun = std::time::Instant::now();
            odd.occurrences(from, to).expect("expands");
            assert!(
                begun.elapsed() < std::time::Duration::from_secs(5),
                "{rule}"
            );
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let (starts, ends) = ("2026-06-01T18:00:00", "2026-06-01T20:00:00");
        assert!(schedule(ends, starts, "").check().is_err());
        for rule in [
            "FREQ=SOMETIMES",
            "nonsense",
            "FREQ=DAILY;UNTIL=never",
            "FREQ=DAILY\nRDATE:20260601T180000Z",
        ] {
            assert!(schedule(starts, ends, rule).check().is_err(), "{rule}");
        }
        let far = schedule("9999-06-01T18:00:00", "9999-06-01T18:00:00", "");
        assert!(far.check().is_err());
        assert!(zone("Canada/Nowhere").is_err());
    }
}
