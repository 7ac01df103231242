//! Reads files with a size limit.

use std::{
    fs,
    io::{self, Read as _},
    path::Path,
};

/// Reads a file of at most `most` bytes.
pub(super) fn content(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let mut content = Vec::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    let length = file.take(most + 1).read_to_end(&mut content);
    if length.map_err(unreadable)? as u64 > most {
        return Err(format!("has more than {} MiB", most >> 20));
    }
    Ok(content)
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
pub(super) fn unreadable(error: io::Error) -> String {
    format!("cannot be read: {error}")
}
