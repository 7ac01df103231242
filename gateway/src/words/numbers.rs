//! Formatting of counts.

/// Formats 1234567 as 1,234,567.
pub(crate) fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    if number < 0 {
        text.push('-');
    }
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count: "1 place", "1,234 places".
pub(crate) fn counted(number: i64, [one, several]: [&str; 2]) -> String {
    let unit = if number == 1 { one } else { several };
    format!("{} {unit}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let words = [0, 12, 999, 1000, 1_234_567, -4321].map(grouped);
        assert_eq!(words, ["0", "12", "999", "1,000", "1,234,567", "-4,321"]);
        assert_eq!(counted(1, ["place", "places"]), "1 place");
        assert_eq!(counted(1600, ["place", "places"]), "1,600 places");
    }
}
