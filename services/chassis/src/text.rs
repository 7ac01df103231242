//! Checks of lines of text for pages.

/// The longest name, address or other line of text, in characters.
const MAX_LINE: usize = 255;

/// A line of text, trimmed; it must not be empty, have control characters or be too long.
pub fn line(what: &str, text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("the {what} is missing"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("the {what} has control characters"));
    }
    if text.chars().count() > MAX_LINE {
        return Err(format!("the {what} is longer than {MAX_LINE} characters"));
    }
    Ok(text.to_owned())
}

/// The same for an optional line: an empty one counts as missing.
pub fn optional_line(what: &str, text: Option<&str>) -> Result<Option<String>, String> {
    match text.map(str::trim) {
        None | Some("") => Ok(None),
        Some(text) => line(what, text).map(Some),
    }
}
