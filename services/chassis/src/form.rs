//! Validation of form input, with messages for readers.

/// One line of text, with runs of white space collapsed: at most `most` characters, no control characters.
pub fn line(text: &str, most: usize) -> Result<String, String> {
    let text = text.trim();
    if text.chars().any(char::is_control) {
        return Err("Control characters are not allowed.".to_owned());
    }
    bounded(text.split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// Multiple lines of text, with line endings normalised to line feeds.
pub fn lines(text: &str, most: usize) -> Result<String, String> {
    let text = text.trim().replace("\r\n", "\n").replace('\r', "\n");
    let is_other = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
    if text.chars().any(is_other) {
        return Err("Control characters are not allowed.".to_owned());
    }
    bounded(text, most)
}

fn bounded(text: String, most: usize) -> Result<String, String> {
    if text.is_empty() {
        return Err("This field may not be blank.".to_owned());
    }
    if text.chars().count() > most {
        return Err(format!(
            "Ensure this field has no more than {most} characters."
        ));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_and_fits() {
        assert_eq!(line("  Ada   King ", 8).as_deref(), Ok("Ada King"));
        assert_eq!(line(&"é".repeat(255), 255).map(|text| text.len()), Ok(510));
        for text in [
            "",
            " \t ",
            "Ada\r\nBcc: x@y.z",
            "Ada\nKing",
            "Ada\u{0}",
            "Ada\u{85}King",
        ] {
            assert!(line(text, 255).is_err(), "{text:?}");
        }
        assert!(line(&"a".repeat(256), 255).is_err());
    }

    #[test]
    fn lines_end_alike() {
        assert_eq!(
            lines(" a\r\nb\rc\n\td \n", 99).as_deref(),
            Ok("a\nb\nc\n\td")
        );
        for text in ["", "\r\n", "a\u{0}b", "a\u{1b}[2J"] {
            assert!(lines(text, 99).is_err(), "{text:?}");
        }
        assert!(lines("abc", 2).is_err());
    }
}
