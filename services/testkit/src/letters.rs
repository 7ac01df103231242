//! Reads a mail folder.

use std::{fs, path::Path};

/// Returns the emails in a folder, by name; empty if the folder does not exist yet.
///
/// # Panics
/// If an email cannot be read.
#[must_use]
pub fn in_folder(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "eml"))
        .collect();
    files.sort();
    let read = |file: &std::path::PathBuf| {
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    files.iter().map(read).collect()
}
