//! Time zones of calendars: by an IANA or Windows name, or by the rules in the file.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, Weekday};
use chrono_tz::{TZ_VARIANTS, Tz};

use super::{component::Component, lines::Property, values, windows};

/// Maximum number of stored zones of a calendar.
const MAX_ZONES: usize = 500;
/// The beginning of the year 2026, and a week, in seconds.
const PROBED: i64 = 1_767_225_600;
const WEEK: i64 = 7 * 86_400;

/// The definition of a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Clock {
    Iana(Tz),
    /// Rules from the file.
    Own(Rules),
}

#[derive(Debug)]
pub(super) struct Zones {
    /// Zone of times without a time zone.
    floating: Tz,
    site: Tz,
    /// Definitions by `TZID`. Zones with a known name are not stored.
    known: BTreeMap<String, Clock>,
}

impl Zones {
    pub(super) fn new(site: Tz) -> Self {
        Self {
            floating: site,
            site,
            known: BTreeMap::new(),
        }
    }

    /// Returns the zone of times without a time zone.
    pub(super) fn floating(&self) -> Tz {
        self.floating
    }

    /// Returns the zone for converting instants: the calendar's zone, or the site's if the calendar's is UTC.
    pub(super) fn of_instants(&self) -> Tz {
        if is_utc(self.floating) {
            self.site
        } else {
            self.floating
        }
    }

    /// Sets the calendar's own zone, if the name is known.
    pub(super) fn float_in(&mut self, name: &str) {
        self.floating = self.named(name).unwrap_or(self.floating);
    }

    /// Adds a `VTIMEZONE`. An unreadable zone remains unknown, so its times are rejected.
    pub(super) fn take(&mut self, zone: &Component) {
        let id = zone.text("TZID").trim().to_owned();
        if self.named(&id).is_some() || self.known.len() >= MAX_ZONES {
            return;
        }
        let location = self.named(zone.text("X-LIC-LOCATION").trim());
        let own = || Rules::read(zone).map(Clock::Own);
        if let Some(clock) = location.map(Clock::Iana).or_else(own) {
            self.known.insert(id, clock);
        }
    }

    /// Returns the zone with this name: an IANA name, possibly with the prefixes of Evolution, Mozilla and Microsoft,
    /// or a Windows name. A Windows zone covers several IANA zones; if the calendar's own zone is one of them, it is
    /// used.
    fn named(&self, name: &str) -> Option<Tz> {
        let name = name.trim().trim_matches('"');
        let name = name.strip_prefix("tzone://Microsoft/").unwrap_or(name);
        if let Some(zone) = iana(name) {
            return Some(zone);
        }
        if let Some(zone) = windows::iana(name) {
            let zone = zone.parse().ok()?;
            let is_own = are_alike(zone, self.floating);
            return Some(if is_own { self.floating } else { zone });
        }
        if !name.starts_with('/') {
            return None;
        }
        let starts = name.match_indices('/').map(|(at, _)| &name[at + 1..]);
        let mut with_area = starts.filter(|rest| rest.contains('/'));
        with_area.find_map(iana)
    }

    /// Returns the definition of a `TZID`.
    pub(super) fn clock(&self, id: &str) -> Result<Clock, String> {
        let known = || self.known.get(id).cloned();
        let found = self.named(id).map(Clock::Iana).or_else(known);
        found.ok_or_else(|| {
            let id: String = id.chars().take(80).collect();
            format!(
                "is in the time zone {id:?}, which is unknown and no VTIMEZONE before it describes"
            )
        })
    }
}

/// Returns the zone with an IANA name, ignoring case.
fn iana(name: &str) -> Option<Tz> {
    let zones = || TZ_VARIANTS.iter().copied();
    let in_any_case = || zones().find(|zone| zone.name().eq_ignore_ascii_case(name));
    name.parse().ok().or_else(in_any_case)
}

/// Whether a zone is UTC, which has several names.
pub(super) fn is_utc(zone: Tz) -> bool {
    let name = zone.name();
    let name = name.strip_prefix("Etc/").unwrap_or(name);
    matches!(
        name,
        "UTC" | "UCT" | "GMT" | "GMT0" | "GMT+0" | "GMT-0" | "Greenwich" | "Universal" | "Zulu"
    )
}

/// Whether two zones have the same local time throughout the year.
fn are_alike(one: Tz, other: Tz) -> bool {
    // The dates of clock changes differ by weeks between zones, so weekly samples are enough.
    let mut weeks = (0..53).filter_map(|week| DateTime::from_timestamp(PROBED + week * WEEK, 0));
    weeks.all(|at| {
        let (one, other) = (at.with_timezone(&one), at.with_timezone(&other));
        one.naive_local() == other.naive_local()
    })
}

/// The rules of a `VTIMEZONE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rules {
    observances: Vec<Observance>,
}

/// Changes to an offset (RFC 5545, 3.6.5).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Observance {
    /// Time of the first change to this offset.
    starts: NaiveDateTime,
    /// Seconds ahead of UTC before and after the change.
    from: i32,
    to: i32,
    yearly: Option<Yearly>,
}

/// A yearly change, such as on the second Sunday in March.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Yearly {
    month: u32,
    weekday: Weekday,
    /// Negative numbers count from the end of the month.
    nth: i8,
    until: Option<NaiveDateTime>,
}

impl Rules {
    /// Parses the rules; `None` if a rule is unreadable.
    fn read(zone: &Component) -> Option<Self> {
        let parts = zone.parts.iter();
        let parts = parts.filter(|part| matches!(part.name.as_str(), "STANDARD" | "DAYLIGHT"));
        let observances: Vec<_> = parts.map(Observance::read).collect::<Option<_>>()?;
        (zone.fault.is_none() && !observances.is_empty()).then_some(Self { observances })
    }

    /// Returns the seconds ahead of UTC at this local time.
    pub(super) fn offset(&self, local: NaiveDateTime) -> i32 {
        let changes = self.observances.iter();
        let last = changes
            .filter_map(|one| Some((one.last_change(local)?, one.to)))
            .max();
        let first = || self.observances.iter().min_by_key(|one| one.starts);
        last.map(|(_, offset)| offset)
            .or_else(|| first().map(|one| one.from))
            .unwrap_or_default()
    }
}

impl Observance {
    fn read(part: &Component) -> Option<Self> {
        if part.fault.is_some() {
            return None;
        }
        let seconds = |name: &str| offset(part.get(name)?.value.trim());
        Some(Self {
            starts: values::local(&part.get("DTSTART")?.value)?,
            from: seconds("TZOFFSETFROM")?,
            to: seconds("TZOFFSETTO")?,
            yearly: match part.get("RRULE") {
                Some(rule) => Some(Yearly::read(rule)?),
                None => None,
            },
        })
    }

    /// Returns the last change to this offset at or before a time.
    fn last_change(&self, local: NaiveDateTime) -> Option<NaiveDateTime> {
        if local < self.starts {
            return None;
        }
        let Some(yearly) = &self.yearly else {
            return Some(self.starts);
        };
        let years = [local.year(), local.year() - 1];
        let changes = years.into_iter().filter_map(|year| yearly.day(year));
        let mut changes = changes.map(|day| day.and_time(self.starts.time()));
        let until = yearly.until.map_or(local, |until| until.min(local));
        let found = changes.find(|change| *change <= until && *change >= self.starts);
        // After the rule ends, the change in its last year is the last change.
        found.or_else(|| {
            let until = yearly.until.filter(|until| *until < local)?;
            Some(yearly.day(until.year())?.and_time(self.starts.time()))
        })
    }
}

impl Yearly {
    fn read(rule: &Property) -> Option<Self> {
        let mut read = Self {
            month: 0,
            weekday: Weekday::Sun,
            nth: 0,
            until: None,
        };
        for part in rule.value.trim().to_ascii_uppercase().split(';') {
            match part.split_once('=')? {
                ("FREQ", "YEARLY") | ("INTERVAL", "1") | ("WKST", _) => {}
                ("BYMONTH", month) => read.month = month.parse().ok()?,
                ("BYDAY", day) => {
                    let nth = day.get(..day.len().checked_sub(2)?)?;
                    read.nth = nth.parse().ok()?;
                    read.weekday = weekday(&day[nth.len()..])?;
                }
                ("UNTIL", until) => read.until = Some(values::local(until)?),
                _ => return None,
            }
        }
        let is_whole = (1..=12).contains(&read.month) && (1..=5).contains(&read.nth.abs());
        is_whole.then_some(read)
    }

    /// Returns the date of the change in a year.
    fn day(&self, year: i32) -> Option<NaiveDate> {
        let nth = |nth| NaiveDate::from_weekday_of_month_opt(year, self.month, self.weekday, nth);
        if let Ok(from_begin) = u8::try_from(self.nth) {
            return nth(from_begin);
        }
        let last = nth(5).or_else(|| nth(4))?;
        last.checked_sub_days(chrono::Days::new(
            7 * (u64::from(self.nth.unsigned_abs()) - 1),
        ))
    }
}

fn weekday(name: &str) -> Option<Weekday> {
    Some(match name {
        "MO" => Weekday::Mon,
        "TU" => Weekday::Tue,
        "WE" => Weekday::Wed,
        "TH" => Weekday::Thu,
        "FR" => Weekday::Fri,
        "SA" => Weekday::Sat,
        "SU" => Weekday::Sun,
        _ => return None,
    })
}

/// Parses seconds ahead of UTC: `-0500`, `+013015`.
fn offset(text: &str) -> Option<i32> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    if !matches!(digits.len(), 4 | 6) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let part = |at: usize| {
        digits
            .get(at..at + 2)
            .map_or(Some(0), |part| part.parse::<i32>().ok())
    };
    let seconds = part(0)? * 3_600 + part(2)? * 60 + part(4)?;
    (seconds < 86_400).then_some(sign * seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::icalendar::component::{Piece, each};

    fn zones(text: &str) -> Zones {
        let mut zones = Zones::new(chrono_tz::America::Toronto);
        let file = format!("BEGIN:VCALENDAR\n{text}\nEND:VCALENDAR\n");
        let read = each(file.as_bytes(), |piece| {
            if let Piece::Component(zone) = piece {
                zones.take(&zone);
            }
            true
        });
        read.expect("a calendar");
        zones
    }

    /// The zone of an appointment with custom rules, as written by Outlook.
    const CUSTOM: &str = "BEGIN:VTIMEZONE\nTZID:Customized Time Zone\n\
        BEGIN:STANDARD\nDTSTART:16011104T020000\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11\n\
        TZOFFSETFROM:-0400\nTZOFFSETTO:-0500\nEND:STANDARD\n\
        BEGIN:DAYLIGHT\nDTSTART:16010311T020000\nRRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3\n\
        TZOFFSETFROM:-0500\nTZOFFSETTO:-0400\nEND:DAYLIGHT\nEND:VTIMEZONE";

    #[test]
    fn names_are_those_of_iana_of_windows_and_with_a_prefix() {
        let zones = zones("");
        for (name, expected) in [
            ("America/Toronto", "America/Toronto"),
            ("\"America/Toronto\"", "America/Toronto"),
            ("Eastern Standard Time", "America/Toronto"),
            ("(UTC-05:00) Eastern Time (US & Canada)", "America/Toronto"),
            (
                "(UTC-08:00) Pacific Time (US and Canada)",
                "America/Los_Angeles",
            ),
            ("Eastern Time", "America/Toronto"),
            ("eastern daylight time", "America/Toronto"),
            ("W. Europe Summer Time", "Europe/Berlin"),
            ("GMT Daylight Time", "Europe/London"),
            ("america/toronto", "America/Toronto"),
            ("tzone://Microsoft/Utc", "UTC"),
            ("(UTC) Coordinated Universal Time", "UTC"),
            ("Central Standard Time", "America/Chicago"),
            ("SA Pacific Standard Time", "America/Bogota"),
            ("W. Europe Standard Time", "Europe/Berlin"),
            (
                "/freeassociation.sourceforge.net/America/Toronto",
                "America/Toronto",
            ),
            (
                "/mozilla.org/20050126_1/America/Argentina/Buenos_Aires",
                "America/Argentina/Buenos_Aires",
            ),
            ("US/Eastern", "US/Eastern"),
            ("UTC", "UTC"),
        ] {
            let Ok(Clock::Iana(zone)) = zones.clock(name) else {
                panic!("{name} is unknown");
            };
            assert_eq!(zone.name(), expected, "{name}");
        }
        for unknown in ["", "Nowhere", "/x/y/z", "Mars/Olympus"] {
            assert!(zones.clock(unknown).is_err(), "{unknown}");
        }
    }

    #[test]
    fn a_zone_that_only_the_file_knows_has_the_offsets_of_its_rules() {
        let zones = zones(CUSTOM);
        let Ok(Clock::Own(rules)) = zones.clock("Customized Time Zone") else {
            panic!("it is unknown");
        };
        for (local, hours) in [
            ("2026-03-08T01:59:59", -5),
            ("2026-03-08T02:00:00", -4),
            ("2026-07-01T00:00:00", -4),
            ("2026-11-01T02:00:00", -5),
            ("2027-01-01T00:00:00", -5),
        ] {
            let at = local.parse().expect("a time");
            assert_eq!(rules.offset(at), hours * 3_600, "{local}");
        }
    }

    #[test]
    fn a_location_says_what_an_invented_name_does_not() {
        let located = CUSTOM.replace(
            "TZID:Customized Time Zone",
            "TZID:Head office\nX-LIC-LOCATION:America/Vancouver",
        );
        let known = zones(&located).clock("Head office");
        assert_eq!(known, Ok(Clock::Iana(chrono_tz::America::Vancouver)));
    }

    #[test]
    fn rules_that_cannot_be_read_leave_the_zone_unknown() {
        for (good, odd) in [
            ("BYDAY=1SU", "BYDAY=SU"),
            ("BYMONTH=11", "BYMONTH=13"),
            ("TZOFFSETTO:-0500", "TZOFFSETTO:-9900"),
            ("DTSTART:1601", "DTSTART:99999"),
            ("FREQ=YEARLY", "FREQ=DAILY"),
        ] {
            let zones = zones(&CUSTOM.replace(good, odd));
            assert!(zones.clock("Customized Time Zone").is_err(), "{odd}");
        }
    }

    #[test]
    fn a_rule_that_has_ended_leaves_its_last_offset() {
        let ended = CUSTOM
            .replace("BYMONTH=3", "BYMONTH=3;UNTIL=20200308T070000Z")
            .replace("BYMONTH=11", "BYMONTH=11;UNTIL=20201101T060000Z");
        let zones = zones(&ended);
        let Ok(Clock::Own(rules)) = zones.clock("Customized Time Zone") else {
            panic!("it is unknown");
        };
        let summer = "2026-07-01T00:00:00".parse().expect("a time");
        assert_eq!(rules.offset(summer), -5 * 3_600);
    }
}
