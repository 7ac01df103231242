//! Finds files whose names differ in spelling between a text and the disk.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use unicode_normalization::UnicodeNormalization as _;

/// Returns the file or folder at a relative path. Without an exact match, returns the only entry that matches
/// regardless of case and accent encoding: macOS stores "é" as two characters, and Windows and cameras write
/// `IMG_1.JPG`.
pub(crate) fn find(folder: &Path, relative: &Path) -> Option<PathBuf> {
    let mut found = folder.to_owned();
    for component in relative.components() {
        let Component::Normal(name) = component else {
            return None;
        };
        let exact = found.join(name);
        found = if exact.symlink_metadata().is_ok() {
            exact
        } else {
            only_alike(&found, name.to_str()?)?
        };
    }
    Some(found)
}

fn only_alike(folder: &Path, name: &str) -> Option<PathBuf> {
    let name = folded(name);
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let mut alike = entries.filter(|entry| {
        let other = entry.file_name();
        other.to_str().is_some_and(|other| folded(other) == name)
    });
    let only = alike.next()?;
    alike.next().is_none().then(|| only.path())
}

fn folded(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).collect()
}

/// Whether a file was created by the operating system: macOS writes `._one.md` beside `one.md` on other disks.
pub(crate) fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_however_its_accents_and_capitals_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("Photos d\u{2019}e\u{301}te\u{301}")).expect("made");
        for name in [
            "Photos d\u{2019}e\u{301}te\u{301}/IMG 1.JPG",
            "a.jpg",
            "A.jpg",
        ] {
            fs::write(path(name), "x").expect("written");
        }
        let find = |name: &str| find(folder.path(), Path::new(name));
        let expected = path("Photos d\u{2019}e\u{301}te\u{301}/IMG 1.JPG");
        for name in [
            "Photos d\u{2019}e\u{301}te\u{301}/IMG 1.JPG",
            "photos d\u{2019}\u{e9}t\u{e9}/img 1.jpg",
        ] {
            assert_eq!(find(name).as_ref(), Some(&expected), "{name}");
        }
        assert_eq!(find("a.jpg"), Some(path("a.jpg")));
        for none in ["a.JPG", "b.jpg", "../a.jpg", "/etc/passwd"] {
            assert_eq!(find(none), None, "{none}");
        }
    }
}
