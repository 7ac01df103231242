//! Content lines of a calendar file (RFC 5545, section 3.1).

use icalendar::Property;

/// A property as a line of the file, escaped and folded.
pub(super) fn content_line(property: Property) -> String {
    // Writing to a String cannot fail.
    property.try_into().unwrap_or_default()
}
