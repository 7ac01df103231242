//! JSON read as a stream.

use struson::reader::{JsonReader, ReaderError};

/// An outcome of the reader; an error says what was expected.
pub(super) fn expect<T>(outcome: Result<T, ReaderError>, expected: &str) -> Result<T, String> {
    outcome.map_err(|error| format!("broken, expected {expected}: {error}"))
}

/// Where the reader is: "line 1, column 52".
pub(super) fn position(reader: &impl JsonReader) -> String {
    let position = reader.current_position(false);
    position.line_pos.map_or_else(
        || position.to_string(),
        |at| format!("line {}, column {}", at.line + 1, at.column + 1),
    )
}
