//! Validation of lines of text for pages.

/// The maximum length of a name, address or other line of text, in characters.
const MAX_LINE: usize = 255;

/// A trimmed line of text. Empty or overlong lines and control characters are refused.
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

/// An optional line of text, validated like [`line`]; an empty line counts as absent.
pub fn optional_line(what: &str, text: Option<&str>) -> Result<Option<String>, String> {
    match text.map(str::trim) {
        None | Some("") => Ok(None),
        Some(text) => line(what, text).map(Some),
    }
}
