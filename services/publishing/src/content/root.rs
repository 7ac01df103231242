//! The root of a content folder. Files are read only within the folder and with size limits. All mistakes are collected
//! with their file and line, so that a publisher can correct them together.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    document::Picture,
    file::{content, unreadable},
    pictures::{Kind as PictureKind, Pictures},
};
use crate::{file_names, text_files};

/// Maximum size of a text file in bytes.
pub(crate) const MAX_TEXT: u64 = 4 << 20;

/// A content folder being read.
#[derive(Debug)]
pub(crate) struct Root {
    /// Path with symbolic links resolved.
    path: PathBuf,
    /// Mistakes, one line each.
    pub(crate) mistakes: Vec<String>,
    /// Pictures found in files.
    pub(crate) pictures: Pictures,
}

impl Root {
    /// Opens a folder; the error message is for the publisher.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let found = path.canonicalize().ok().filter(|path| path.is_dir());
        let path = found.ok_or_else(|| format!("{} is no folder", path.display()))?;
        Ok(Self {
            path,
            mistakes: Vec::new(),
            pictures: Pictures::default(),
        })
    }

    /// Returns the address of a picture in a file.
    pub(crate) fn picture(&mut self, picture: &Picture) -> Option<String> {
        let path = self.named(picture)?;
        let extension = path.extension().and_then(|extension| extension.to_str());
        let taken = match extension.and_then(PictureKind::of) {
            Some(kind) => self.file(&path).and_then(|found| {
                let content = content(&found, kind.most())?;
                self.pictures.add(found, &content, kind)
            }),
            None => Err("is none: its name ends with svg, jpg, jpeg, png or webp".to_owned()),
        };
        taken.map_err(|why| self.refuse(picture, &why)).ok()
    }

    /// Returns the path of a picture in a file, if it is within the folder.
    pub(super) fn named(&mut self, picture: &Picture) -> Option<PathBuf> {
        let Picture { named_at, path } = picture;
        let relative = PathBuf::from(path);
        let mut parts = relative.components();
        if parts.all(|part| matches!(part, std::path::Component::Normal(_))) {
            return Some(relative);
        }
        let mistake = format!("{named_at}: {path:?} is no picture of this folder");
        self.mistakes.push(mistake);
        None
    }

    pub(super) fn refuse(&mut self, picture: &Picture, why: &str) {
        let Picture { named_at, path } = picture;
        let mistake = format!("{named_at}: the picture {path} {why}");
        self.mistakes.push(mistake);
    }

    /// Returns the files of a folder with this extension, as pairs of the path in the content folder and the stem.
    pub(crate) fn files(&mut self, folder: &str, extension: &str) -> Vec<(String, String)> {
        let entries = self.entries(folder).into_iter();
        let files = entries.filter(|path| {
            let found = path.extension();
            found.is_some_and(|found| found.eq_ignore_ascii_case(extension))
        });
        let part = |part: Option<&std::ffi::OsStr>| {
            part.unwrap_or_default().to_string_lossy().into_owned()
        };
        files
            .map(|path| {
                let name = format!("{folder}/{}", part(path.file_name()));
                (name, part(path.file_stem()))
            })
            .collect()
    }

    /// Returns the subfolders of a folder.
    pub(super) fn sections(&mut self, folder: &str) -> Vec<String> {
        let entries = self.entries(folder).into_iter();
        let folders = entries.filter(|path| path.is_dir());
        folders
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect()
    }

    /// Returns the entries of a folder, by name, without hidden files; empty if it does not exist.
    fn entries(&mut self, folder: &str) -> Vec<PathBuf> {
        let path = self.path.join(folder);
        if !path.exists() {
            return Vec::new();
        }
        match fs::read_dir(&path) {
            Ok(entries) => {
                let mut paths: Vec<_> = entries
                    .filter_map(Result::ok)
                    .map(|entry| entry.path())
                    .filter(|path| !file_names::is_hidden(path))
                    .collect();
                paths.sort();
                paths
            }
            Err(error) => {
                self.mistakes
                    .push(format!("{folder}/ cannot be read: {error}"));
                Vec::new()
            }
        }
    }

    /// Reads and decodes a text file of at most `most` bytes; `None` if it does not exist.
    pub(crate) fn optional_text(&mut self, name: &str, most: u64) -> Option<String> {
        if self.path.join(name).symlink_metadata().is_err() {
            return None;
        }
        let read = self
            .file(Path::new(name))
            .and_then(|found| text_files::decode(content(&found, most)?));
        match read {
            Ok(text) => Some(text),
            Err(why) => {
                self.mistakes.push(format!("{name} {why}"));
                None
            }
        }
    }

    /// Resolves a file's path. A symbolic link may point elsewhere within the folder, as in Kubernetes volumes, but not
    /// outside it: otherwise it could publish any file that this process can read.
    pub(super) fn file(&self, path: &Path) -> Result<PathBuf, String> {
        let found = file_names::find(&self.path, path).unwrap_or_else(|| self.path.join(path));
        let found = found.canonicalize().map_err(unreadable)?;
        if !found.starts_with(&self.path) {
            return Err("is a link that leads out of the folder".to_owned());
        }
        // Checked before opening: a pipe would block.
        if !found.is_file() {
            return Err("is no file".to_owned());
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";

    #[test]
    fn a_folder_as_windows_macos_and_cameras_save_it_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in [
            ("articles/news/one.md", "\u{feff}+++\r\n"),
            ("articles/news/two.MD", "+++\r"),
            ("articles/news/._one.md", "\0\u{5}\u{16}\u{7}"),
            ("articles/news/.DS_Store", "x"),
            ("articles/.Trashes/one.md", "x"),
            ("pictures/Le the\u{301}.SVG", DRAWING),
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, content).expect("written");
        }
        let mut root = Root::open(folder.path()).expect("a folder");
        assert_eq!(root.sections("articles"), ["news"]);
        let files = root.files("articles/news", "md");
        let texts: Vec<_> = files
            .into_iter()
            .map(|(name, stem)| (stem, root.optional_text(&name, MAX_TEXT)))
            .collect();
        let text = |stem: &str| (stem.to_owned(), Some("+++\n".to_owned()));
        assert_eq!(texts, [text("one"), text("two")]);
        for path in ["pictures/Le th\u{e9}.svg", "pictures/le the\u{301}.SVG"] {
            let named_at = "articles/news/one.md, line 2".to_owned();
            let path = path.to_owned();
            assert!(root.picture(&Picture { named_at, path }).is_some());
        }
        assert!(root.mistakes.is_empty(), "{:?}", root.mistakes);
    }
}
