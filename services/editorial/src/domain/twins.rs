//! Detects duplicate events of different sources. A remaining duplicate is better than a lost event, so the rule
//! requires evidence: the same start and name, about the same end, the same page or place, and no different street.

use std::collections::BTreeSet;

use chassis::{digest, slug};
use chrono::TimeDelta;

use super::{Event, Schedule};

/// Tracking parameters of addresses, which do not identify a page. Parameters that begin with `utm_` are also tracking
/// parameters.
const TRACKING: [&str; 10] = [
    "_ga", "aff", "fbclid", "gclid", "igshid", "mc_cid", "mc_eid", "msclkid", "ref", "source",
];
/// Parts of a recurrence rule that are defaults or limits.
const ENDS: [&str; 4] = ["COUNT=", "UNTIL=", "WKST=", "INTERVAL=1"];
/// Maximum difference between two ends, and maximum duration of an event if the other has no end.
const ENDS_APART: TimeDelta = TimeDelta::hours(6);
const NO_END_APART: TimeDelta = TimeDelta::days(1);
/// Street types and their abbreviations.
const STREETS: [(&str, &str); 16] = [
    ("avenue", "ave"),
    ("boulevard", "blvd"),
    ("circle", "cir"),
    ("court", "ct"),
    ("crescent", "cres"),
    ("drive", "dr"),
    ("east", "e"),
    ("lane", "ln"),
    ("north", "n"),
    ("parkway", "pkwy"),
    ("place", "pl"),
    ("road", "rd"),
    ("south", "s"),
    ("square", "sq"),
    ("street", "st"),
    ("west", "w"),
];

/// Returns the key that events with the same name and start share; `None` for a name without letters and digits.
pub(crate) fn key(name: &str, schedule: &Schedule) -> Option<String> {
    let name = words(name);
    let starts = schedule.starts_at().timestamp();
    (!name.is_empty()).then(|| digest::hex(format!("{starts}\n{name}"), 16))
}

/// Whether two events with the same key are the same event.
pub(crate) fn are_one(one: &Event, other: &Event) -> bool {
    let (when, other_when) = (&one.schedule, &other.schedule);
    if !recur_alike(when, other_when) || !last_alike(when, other_when) {
        return false;
    }
    if let Some(is_same) = same_place(one, other) {
        return is_same;
    }
    let page = page(&one.website);
    !page.is_empty() && page == self::page(&other.website)
}

/// Whether both schedules are single events, or have the same recurrence rule apart from `COUNT`, `UNTIL` and defaults.
fn recur_alike(one: &Schedule, other: &Schedule) -> bool {
    let parts = |schedule: &Schedule| -> BTreeSet<String> {
        let rule = schedule.rule.to_ascii_uppercase();
        let parts = rule.split(';').map(str::trim);
        let parts = parts.filter(|part| !part.is_empty());
        let parts = parts.filter(|part| !ENDS.iter().any(|end| part.starts_with(end)));
        parts.map(str::to_owned).collect()
    };
    parts(one) == parts(other) && one.additions == other.additions
}

/// Whether both events end at about the same time, if they have an end: the first night of a run is not the same event
/// as the run.
fn last_alike(one: &Schedule, other: &Schedule) -> bool {
    let has_end = |schedule: &Schedule| schedule.ends > schedule.starts;
    let apart = if has_end(one) && has_end(other) {
        ENDS_APART
    } else {
        NO_END_APART
    };
    (one.ends_at() - other.ends_at()).abs() <= apart
}

/// Whether both events have the same place; `None` if unknown.
fn same_place(one: &Event, other: &Event) -> Option<bool> {
    let streets = street(&one.address).zip(street(&other.address));
    if let Some((one, other)) = streets {
        // The direction may be missing in one of the addresses.
        return Some(one.iter().zip(&other).all(|(one, other)| one == other));
    }
    let venue = words(&one.venue);
    (!venue.is_empty() && venue == words(&other.venue)).then_some(true)
}

/// Returns the number, street and direction of an address; `None` for an address without number and street.
fn street(address: &str) -> Option<Vec<String>> {
    let words = slug::words(address).into_iter().map(|word| {
        let short = STREETS.iter().find(|(long, _)| *long == word.folded);
        short.map_or(word.folded, |(_, short)| (*short).to_owned())
    });
    let mut words: Vec<String> = words.take(6).collect();
    let has_number = words
        .first()?
        .starts_with(|letter: char| letter.is_ascii_digit());
    // The abbreviation for a saint precedes the name, a street type follows it.
    let is_kind = |word: &String| STREETS.iter().any(|(_, short)| short == word);
    let kind = words.iter().skip(2).position(is_kind).map(|at| at + 2);
    let is_direction = |word: &String| ["n", "e", "s", "w"].contains(&word.as_str());
    words.truncate(match kind {
        Some(kind) if words.get(kind + 1).is_some_and(is_direction) => kind + 2,
        Some(kind) => kind + 1,
        None => 3,
    });
    (has_number && words.len() > 1).then_some(words)
}

/// Normalises a name's case, accents, punctuation and "&".
fn words(name: &str) -> String {
    let name = name.replace(['&', '+'], " and ");
    let words = slug::words(&name).into_iter().map(|word| word.folded);
    let words: Vec<String> = words.collect();
    // Letters of other scripts, which cannot be part of a slug.
    let others = name.chars().filter(|letter| {
        let has_no_slug = || slug::from_name(&letter.to_string()).is_empty();
        !letter.is_ascii() && letter.is_alphanumeric() && has_no_slug()
    });
    format!(
        "{}{}",
        words.join("-"),
        others.collect::<String>().to_lowercase()
    )
}

/// Returns an address without its scheme, `www`, fragment, trailing slash and tracking parameters; empty if there is
/// none.
fn page(address: &str) -> String {
    let address = address.split_once("://").map_or(address, |(_, rest)| rest);
    let address = address.split('#').next().unwrap_or_default();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let (host, path) = path.split_once('/').unwrap_or((path, ""));
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    if host.is_empty() {
        return String::new();
    }
    let is_tracking = |parameter: &&str| {
        let name = parameter.split('=').next().unwrap_or_default();
        name.is_empty() || name.starts_with("utm_") || TRACKING.contains(&name)
    };
    let mut parameters: Vec<_> = query.split('&').filter(|one| !is_tracking(one)).collect();
    parameters.sort_unstable();
    let path = path.trim_end_matches('/');
    format!("{host}/{path}?{}", parameters.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::zone;

    fn at(starts: &str, zone_name: &str) -> Schedule {
        let starts = starts.parse().expect("a time");
        Schedule {
            zone: zone(zone_name).expect("a zone"),
            starts,
            ends: starts,
            is_all_day: false,
            rule: String::new(),
            exceptions: Vec::new(),
            additions: Vec::new(),
        }
    }

    fn event(venue: &str, address: &str, website: &str) -> Event {
        Event {
            listing_id: None,
            schedule: at("2026-06-01T19:00:00", "America/Toronto"),
            venue: venue.to_owned(),
            address: address.to_owned(),
            category: String::new(),
            neighbourhood: String::new(),
            is_free: false,
            price: String::new(),
            website: website.to_owned(),
        }
    }

    #[test]
    fn a_key_is_the_same_however_name_and_start_are_written() {
        let toronto = at("2026-06-01T19:00:00", "America/Toronto");
        let first = key("Eats & Beats: Café!", &toronto);
        assert!(first.is_some());
        let utc = at("2026-06-01T23:00:00", "UTC");
        assert_eq!(first, key("EATS and beats – cafe", &utc));
        assert_ne!(first, key("Eats & Beats: Café 2", &toronto));
        assert_ne!(
            first,
            key("Eats & Beats: Café!", &at("2026-06-01T19:00:00", "UTC"))
        );
        assert!(key("夏祭り", &toronto).is_some());
        assert_ne!(key("夏祭り", &toronto), key("冬祭り", &toronto));
        assert_eq!(key("!!!", &toronto), None);
    }

    #[test]
    fn a_page_is_the_same_with_and_without_what_tracks_visitors() {
        let expected = page("https://a.example/Jazz");
        for same in [
            "http://www.a.example/Jazz/",
            "HTTPS://A.example/Jazz?utm_source=x&fbclid=1#top",
            "a.example/Jazz?aff=ebdsoporgprofile",
        ] {
            assert_eq!(page(same), expected, "{same}");
        }
        assert_eq!(
            page("https://a.example/?b=2&a=1"),
            page("https://a.example?a=1&b=2")
        );
        for other in [
            "https://a.example/jazz-2",
            "https://a.example/Jazz?night=2",
            "https://b.example/Jazz",
        ] {
            assert_ne!(page(other), expected, "{other}");
        }
        assert_eq!((page(""), page("https://")), (String::new(), String::new()));
    }

    #[test]
    fn events_are_one_at_the_same_place_or_page_unless_their_streets_differ() {
        let hall = event("The Hall", "1279 Queen St W", "https://a.example/jazz");
        for (same, other) in [
            (
                "street",
                event(
                    "Hall (upstairs)",
                    "1279 Queen Street West, Toronto",
                    "https://b.example/",
                ),
            ),
            ("page", event("", "", "http://www.a.example/jazz/")),
            (
                "page and another name of the place",
                event("Queen West", "", "https://a.example/jazz"),
            ),
            ("venue", event("THE HALL", "", "")),
            (
                "street, of which one tells more",
                event("", "1279 Queen St. W, Unit 2", ""),
            ),
            (
                "street without its direction",
                event("", "1279 queen st, Toronto", ""),
            ),
        ] {
            assert!(are_one(&hall, &other), "{same}");
            assert!(are_one(&other, &hall), "{same}");
        }
        for (different, other) in [
            ("nothing in common but the name", event("", "", "")),
            (
                "street",
                event("The Hall", "1279 Queen St E", "https://a.example/jazz"),
            ),
            (
                "number",
                event("The Hall", "9 Queen St W", "https://a.example/jazz"),
            ),
            (
                "venue and page",
                event("The Pub", "", "https://a.example/blues"),
            ),
        ] {
            assert!(!are_one(&hall, &other), "{different}");
            assert!(!are_one(&other, &hall), "{different}");
        }
    }

    #[test]
    fn the_first_night_of_a_run_is_not_the_run() {
        let until = |ends: &str| {
            let mut event = event("The Hall", "", "");
            event.schedule.ends = ends.parse().expect("a time");
            event
        };
        let night = until("2026-06-01T21:00:00");
        assert!(are_one(&night, &until("2026-06-02T01:00:00")));
        assert!(!are_one(&night, &until("2026-06-02T14:00:00")));
        // An event without an end ends at its start.
        let open = until("2026-06-01T19:00:00");
        assert!(are_one(&open, &until("2026-06-02T14:00:00")));
        assert!(!are_one(&open, &until("2026-08-31T22:00:00")));
    }

    #[test]
    fn a_series_is_one_only_with_the_same_series() {
        let with = |rule: &str| {
            let mut event = event("The Hall", "", "");
            event.schedule.rule = rule.to_owned();
            event
        };
        let weekly = with("FREQ=WEEKLY;BYDAY=MO;WKST=SU;UNTIL=20270101T045959Z");
        assert!(are_one(&weekly, &with("BYDAY=MO;FREQ=WEEKLY;INTERVAL=1")));
        for other in ["", "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO;INTERVAL=2"] {
            assert!(!are_one(&weekly, &with(other)), "{other}");
        }
        let mut added = with("");
        added.schedule.additions.push(added.schedule.starts);
        assert!(!are_one(&added, &with("")));
    }
}
