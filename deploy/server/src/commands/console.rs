//! Output of the commands.

use std::io::Write;

use chassis::instant;
use prost_types::Timestamp;

/// Writes a line to standard output.
pub(super) fn print(line: &str) -> Result<(), String> {
    writeln!(std::io::stdout(), "{line}").map_err(|error| format!("standard output: {error}"))
}

/// Formats a time to the minute in UTC; empty if absent.
pub(super) fn moment(at: Option<&Timestamp>) -> String {
    let at = at.and_then(instant::from_proto);
    at.map_or_else(String::new, |at| at.format("%F %H:%M").to_string())
}
