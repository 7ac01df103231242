//! Output of the commands.

use std::io::Write;

/// Writes a line to standard output.
pub(super) fn print(line: &str) -> Result<(), String> {
    writeln!(std::io::stdout(), "{line}").map_err(|error| format!("standard output: {error}"))
}
