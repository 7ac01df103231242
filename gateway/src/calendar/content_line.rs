//! Content lines of a calendar file (RFC 5545, section 3.1), including its first and last lines.

use icalendar::Property;

/// Formats a property as an escaped and folded line.
pub(super) fn content_line(property: Property) -> String {
    // Writing to a String cannot fail.
    property.try_into().unwrap_or_default()
}

/// The last line of a calendar.
pub(super) const END: &str = "END:VCALENDAR\r\n";

/// The first lines of a calendar.
pub(super) fn begin() -> String {
    let mut text = String::from("BEGIN:VCALENDAR\r\n");
    for property in [("VERSION", "2.0"), ("PRODID", "-//cityguide//EN")] {
        text.push_str(&content_line(property.into()));
    }
    text
}

/// Removes control characters, which would end a line of the file. Line feeds are kept, as they can be escaped.
pub(super) fn printable(text: &str) -> String {
    let is_kept = |letter: &char| *letter == '\n' || !letter.is_control();
    text.chars().filter(is_kept).collect()
}
