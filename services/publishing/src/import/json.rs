//! Streamed JSON.

use std::{
    cell::Cell,
    io::{self, Read},
    rc::Rc,
};

use serde_json::Value;
use struson::reader::{JsonReader, JsonStreamReader, ReaderError};

/// Maximum size of an object in bytes.
const MAX_THING: u64 = 16 << 20;

/// A JSON file, of which only one object at a time is in memory.
pub(super) struct Json<R: Read> {
    pub(super) reader: JsonStreamReader<Bounded<R>>,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Json<R> {
    pub(super) fn new(file: R) -> Self {
        let left = Rc::new(Cell::new(MAX_THING));
        let file = Bounded {
            file,
            left: Rc::clone(&left),
        };
        Self {
            reader: JsonStreamReader::new(file),
            left,
        }
    }

    /// Reads the next object.
    pub(super) fn value(&mut self) -> Result<Value, String> {
        self.begin();
        let at = position(&self.reader);
        let value = self.reader.deserialize_next();
        value.map_err(|error| format!("broken near {at}: {error}"))
    }

    /// Resets the size limit for the next object.
    pub(super) fn begin(&self) {
        self.left.set(MAX_THING);
    }

    /// Fails if anything follows the last object.
    pub(super) fn end(self) -> Result<(), String> {
        self.begin();
        let end = self.reader.consume_trailing_whitespace();
        end.map_err(|error| format!("broken: {error}"))
    }
}

/// A reader with a limited number of bytes.
pub(super) struct Bounded<R> {
    file: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            return Err(io::Error::other(format!(
                "one thing has more than {} MiB",
                MAX_THING >> 20
            )));
        }
        let length = into.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = self.file.read(&mut into[..length])?;
        self.left.set(left - read as u64);
        Ok(read)
    }
}

/// Converts an error of the reader to a message with the expected element.
pub(super) fn expect<T>(outcome: Result<T, ReaderError>, expected: &str) -> Result<T, String> {
    outcome.map_err(|error| format!("broken, expected {expected}: {error}"))
}

/// Returns the reader's position: "line 1, column 52".
pub(super) fn position(reader: &impl JsonReader) -> String {
    let position = reader.current_position(false);
    position.line_pos.map_or_else(
        || position.to_string(),
        |at| format!("line {}, column {}", at.line + 1, at.column + 1),
    )
}
