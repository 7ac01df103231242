//! Opening hours in words.

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
        let end = if first.is_ascii_alphabetic() {
            rest.find(|one: char| !one.is_ascii_alphabetic())
                .unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(end);
        let is_between = |is: fn(&char) -> bool| {
            text.chars().last().as_ref().is_some_and(is)
                && after.chars().next().as_ref().is_some_and(is)
        };
        let written = match token {
            // Word joiners keep a time range on one line.
            "-" if is_between(char::is_ascii_digit) => "\u{2060}–\u{2060}",
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
    use super::*;

    #[test]
    fn each_rule_becomes_a_line_of_words() {
        let words = |hours| in_words(hours).join(" | ").replace('\u{2060}', "");
        assert_eq!(words("24/7"), "Always open");
        assert_eq!(
            words("Mo-Fr 08:00-18:00; Sa,Su 09:00-17:00;PH off; "),
            "Mon–Fri 08:00–18:00 | Sat, Sun 09:00–17:00 | Public holidays closed"
        );
        assert_eq!(words("We[1] 10:00-24:00+"), "Wed[1] 10:00–24:00+");
        assert_eq!(
            words("Jun-Sep: Mo-Su sunrise-22:00"),
            "Jun–Sep: Mon–Sun sunrise–22:00"
        );
        assert!(in_words("17:00-01:00")[0].contains("0\u{2060}–\u{2060}0"));
    }
}
