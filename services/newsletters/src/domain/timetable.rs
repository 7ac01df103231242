//! The timetable of issues.

use std::str::FromStr;

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeDelta, Utc, Weekday};
use chrono_tz::Tz;
use vocabulary::newsletters::{Kind, Schedule};

/// A due issue: its identifying local date, and the earliest time for sending it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) date: NaiveDate,
    pub(crate) at: DateTime<Utc>,
}

/// The scheduled times of a newsletter's issues, in the site's time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Times {
    /// `None` for every day.
    day: Option<Weekday>,
    time: NaiveTime,
}

impl Times {
    /// Parses times: `06:30` for a daily newsletter, `thu 09:00` for a weekly newsletter.
    pub(crate) fn parse(kind: Kind, setting: &str) -> Result<Self, String> {
        let (day, time) = match setting.split_once(' ') {
            Some((day, time)) => (Some(day), time),
            None => (None, setting),
        };
        let form = match kind.schedule() {
            Schedule::Daily if day.is_none() => None,
            Schedule::Daily => Some("a time: \"06:30\""),
            Schedule::Weekly if day.is_some() => None,
            Schedule::Weekly => Some("a day and a time: \"thu 09:00\""),
            Schedule::NoSetSchedule => Some("nothing: its issues are scheduled by hand"),
        };
        if let Some(form) = form {
            return Err(format!("must have {form}"));
        }
        let day = day.map(|day| {
            Weekday::from_str(day).map_err(|_| format!("{day:?} is no day of the week"))
        });
        let time = NaiveTime::parse_from_str(time, "%H:%M");
        Ok(Self {
            day: day.transpose()?,
            time: time.map_err(|_| "must have a time such as 06:30".to_owned())?,
        })
    }

    /// Returns the last slot that has begun.
    pub(crate) fn last(&self, now: DateTime<Utc>, zone: Tz) -> Option<Slot> {
        let today = now.with_timezone(&zone).date_naive();
        // There is always a slot within the last eight days.
        (0..=8)
            .filter_map(|days| today.checked_sub_days(Days::new(days)))
            .filter(|date| self.day.is_none_or(|day| date.weekday() == day))
            .map(|date| Slot {
                date,
                at: self.instant(date, zone),
            })
            .find(|slot| slot.at <= now)
    }

    /// Returns the interval between issues.
    pub(crate) fn interval(&self) -> TimeDelta {
        TimeDelta::days(if self.day.is_some() { 7 } else { 1 })
    }

    /// Returns the first time on this date at which the scheduled local time is reached or was skipped by a clock
    /// change.
    fn instant(&self, date: NaiveDate, zone: Tz) -> DateTime<Utc> {
        let wanted = date.and_time(self.time);
        (0..=24 * 4)
            .find_map(|quarters| {
                let local = wanted + TimeDelta::minutes(15 * quarters);
                local.and_local_timezone(zone).earliest()
            })
            .map_or_else(|| wanted.and_utc(), |at| at.with_timezone(&Utc))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("an instant")
    }

    const TORONTO: Tz = chrono_tz::America::Toronto;

    #[test]
    fn a_setting_has_the_form_of_its_newsletter() {
        assert!(Times::parse(Kind::News, "06:30").is_ok());
        assert!(Times::parse(Kind::Foods, "thu 09:00").is_ok());
        for (kind, wrong) in [
            (Kind::News, "thu 09:00"),
            (Kind::News, "25:00"),
            (Kind::News, ""),
            (Kind::Foods, "09:00"),
            (Kind::Foods, "someday 09:00"),
            (Kind::Promotions, "09:00"),
        ] {
            assert!(Times::parse(kind, wrong).is_err(), "{kind:?} {wrong:?}");
        }
    }

    #[test]
    fn a_slot_begins_at_its_time_and_not_before() {
        let daily = Times::parse(Kind::News, "06:30").expect("valid");
        let slot = daily
            .last(at("2026-12-03T11:29:59Z"), TORONTO)
            .expect("one");
        assert_eq!(slot.date.to_string(), "2026-12-02");
        let slot = daily
            .last(at("2026-12-03T11:30:00Z"), TORONTO)
            .expect("one");
        assert_eq!(slot.date.to_string(), "2026-12-03");
        assert_eq!(slot.at, at("2026-12-03T11:30:00Z"));
        let weekly = Times::parse(Kind::Foods, "thu 09:00").expect("valid");
        let slot = weekly
            .last(at("2026-12-03T13:00:00Z"), TORONTO)
            .expect("one");
        assert_eq!(slot.date.to_string(), "2026-11-26");
    }

    #[test]
    fn each_day_has_one_slot_however_the_clocks_change() {
        // Clocks go from 02:00 to 03:00 on 8 March and from 02:00 back to 01:00 on 1 November.
        let of = |time| Times::parse(Kind::News, time).expect("valid");
        for (time, day, begins) in [
            ("02:30", "2026-03-08", "2026-03-08T07:00:00Z"),
            ("01:30", "2026-11-01", "2026-11-01T05:30:00Z"),
            ("06:30", "2026-11-01", "2026-11-01T11:30:00Z"),
        ] {
            let times = of(time);
            let before = times.last(at(begins) - TimeDelta::seconds(1), TORONTO);
            assert_ne!(before.expect("one").date.to_string(), day, "{time}");
            for minutes in [0, 30, 60, 61, 120, 600] {
                let now = at(begins) + TimeDelta::minutes(minutes);
                let slot = times.last(now, TORONTO).expect("one");
                assert_eq!(slot.date.to_string(), day, "{time} {now}");
                assert_eq!(slot.at, at(begins), "{time} {now}");
            }
        }
    }
}
