//! Opening hours in words.

use chassis::dates;
use chrono::{DateTime, NaiveTime, Timelike as _};
use chrono_tz::Tz;

/// Converts OpenStreetMap's `opening_hours` to words, with a line for each rule.
pub(crate) fn in_words(hours: &str) -> Vec<String> {
    if hours.trim() == "24/7" {
        return vec!["Always open".to_owned()];
    }
    hours
        .split(';')
        .map(str::trim)
        .filter(|rule| !rule.is_empty())
        .map(rule_in_words)
        .collect()
}

fn rule_in_words(rule: &str) -> String {
    let mut text = String::new();
    let mut rest = rule;
    while let Some(first) = rest.chars().next() {
        if let Some((time, after)) = clock_time(rest) {
            text.push_str(&time);
            rest = after;
            continue;
        }
        let end = if first.is_ascii_alphabetic() {
            rest.find(|one: char| !one.is_ascii_alphabetic())
                .unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(end);
        let written = match token {
            // Word joiners keep a time range on one line.
            "-" if after.starts_with(|next: char| next.is_ascii_digit()) => "\u{2060}–\u{2060}",
            "-" => "–",
            "," if !after.starts_with(char::is_whitespace) => ", ",
            "off" => "closed",
            other => day(other),
        };
        text.push_str(written);
        rest = after;
    }
    text
}

/// The time at the beginning of a rule, in words, and the rest of the rule.
fn clock_time(rule: &str) -> Option<(String, &str)> {
    let (hour, after) = rule.split_once(':')?;
    let (minute, after) = after.split_at_checked(2)?;
    if hour.is_empty() || hour.len() > 2 {
        return None;
    }
    // Hours beyond midnight are counted on: 26:00 is 2 a.m.
    let hour = hour.parse::<u32>().ok()?;
    let time = NaiveTime::from_hms_opt(hour % 24, minute.parse().ok()?, 0)?;
    Some((time_in_words(time), after))
}

pub(crate) fn time_in_words(time: NaiveTime) -> String {
    match (time.hour(), time.minute()) {
        (0, 0) => "midnight".to_owned(),
        (12, 0) => "noon".to_owned(),
        _ => dates::time_of_day(time),
    }
}

/// Whether a place is open, and when that next changes: "Open until 7:00 p.m.", "Opens tomorrow at 9:00 a.m.".
pub(crate) fn status(is_open: bool, change: Option<DateTime<Tz>>, now: &DateTime<Tz>) -> String {
    let Some(change) = change else {
        return if is_open { "Open now" } else { "Closed now" }.to_owned();
    };
    let time = time_in_words(change.time());
    if is_open {
        format!("Open until {time}")
    } else if change.date_naive() == now.date_naive() {
        format!("Opens at {time}")
    } else {
        format!("Opens tomorrow at {time}")
    }
}

fn day(abbreviation: &str) -> &str {
    match abbreviation {
        "Mo" => "Mon",
        "Tu" => "Tue",
        "We" => "Wed",
        "Th" => "Thu",
        "Fr" => "Fri",
        "Sa" => "Sat",
        "Su" => "Sun",
        "PH" => "Public holidays",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use chrono::{TimeDelta, TimeZone as _};

    use super::*;

    #[test]
    fn each_rule_becomes_a_line_of_words() {
        let words = |hours| in_words(hours).join(" | ").replace('\u{2060}', "");
        assert_eq!(words("24/7"), "Always open");
        assert_eq!(
            words("Mo-Fr 08:00-18:00; Sa,Su 09:00-17:30;PH off; "),
            "Mon–Fri 8:00\u{a0}a.m.–6:00\u{a0}p.m. | Sat, Sun 9:00\u{a0}a.m.–5:30\u{a0}p.m. | Public holidays closed"
        );
        assert_eq!(
            words("We[1] 10:00-24:00+"),
            "Wed[1] 10:00\u{a0}a.m.–midnight+"
        );
        assert_eq!(
            words("Jun-Sep: Mo-Su sunrise-22:00"),
            "Jun–Sep: Mon–Sun sunrise–10:00\u{a0}p.m."
        );
        assert_eq!(words("Sa 12:00-15:00"), "Sat noon–3:00\u{a0}p.m.");
        assert_eq!(words("Fr 17:00-26:00"), "Fri 5:00\u{a0}p.m.–2:00\u{a0}a.m.");
        assert!(in_words("17:00-01:00")[0].contains(".\u{2060}–\u{2060}1"));
    }

    #[test]
    fn the_status_names_the_next_change() {
        let at = |hour| {
            Tz::Canada__Eastern
                .with_ymd_and_hms(2026, 11, 30, 0, 0, 0)
                .unwrap()
                + TimeDelta::hours(hour)
        };
        let words = |is_open, change: Option<i64>| {
            status(is_open, change.map(at), &at(15)).replace('\u{a0}', " ")
        };
        assert_eq!(words(true, None), "Open now");
        assert_eq!(words(false, None), "Closed now");
        assert_eq!(words(true, Some(19)), "Open until 7:00 p.m.");
        assert_eq!(words(true, Some(24)), "Open until midnight");
        assert_eq!(words(true, Some(26)), "Open until 2:00 a.m.");
        assert_eq!(words(false, Some(17)), "Opens at 5:00 p.m.");
        assert_eq!(words(false, Some(33)), "Opens tomorrow at 9:00 a.m.");
    }
}
