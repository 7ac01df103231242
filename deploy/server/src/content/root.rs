//! The root of a content folder: its files, read within it and within bounds. Every mistake is collected with its file
//! and line, so that a publisher can correct all at once.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    document::Picture,
    file::{content, unreadable},
    pictures::{Kind as PictureKind, Pictures},
};

/// The most bytes of a file of text.
pub(crate) const MAX_TEXT: u64 = 4 << 20;

/// A content folder that is being read.
#[derive(Debug)]
pub(crate) struct Root {
    /// Without symbolic links.
    path: PathBuf,
    /// One line each.
    pub(crate) mistakes: Vec<String>,
    /// The pictures that files have named.
    pub(crate) pictures: Pictures,
}

impl Root {
    /// Opens a folder; the message is for the publisher.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let found = path.canonicalize().ok().filter(|path| path.is_dir());
        let path = found.ok_or_else(|| format!("{} is no folder", path.display()))?;
        Ok(Self {
            path,
            mistakes: Vec::new(),
            pictures: Pictures::default(),
        })
    }

    /// The address of a picture that a file names.
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

    /// The path of a picture that a file names, if it stays within the folder.
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

    /// The files of a folder whose names end so, by their path in the content folder and their stem.
    pub(crate) fn files(&mut self, folder: &str, extension: &str) -> Vec<(String, String)> {
        let entries = self.entries(folder).into_iter();
        let files = entries.filter(|path| path.extension().is_some_and(|found| found == extension));
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

    /// The subfolders of a folder.
    pub(super) fn sections(&mut self, folder: &str) -> Vec<String> {
        let entries = self.entries(folder).into_iter();
        let folders = entries.filter(|path| path.is_dir());
        folders
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect()
    }

    /// The entries of a folder, by name; none if it does not exist.
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

    /// The text of a file with at most `most` bytes; `None` if it does not exist.
    pub(crate) fn optional_text(&mut self, name: &str, most: u64) -> Option<String> {
        if self.path.join(name).symlink_metadata().is_err() {
            return None;
        }
        let read = self.file(Path::new(name)).and_then(|found| {
            String::from_utf8(content(&found, most)?)
                .map_err(|error| format!("is not UTF-8: {error}"))
        });
        match read {
            Ok(text) => Some(text),
            Err(why) => {
                self.mistakes.push(format!("{name} {why}"));
                None
            }
        }
    }

    /// Where a file is. A symbolic link may lead to another place of the folder, as in volumes of Kubernetes, but not out
    /// of it: it could publish any file that this process can read.
    pub(super) fn file(&self, path: &Path) -> Result<PathBuf, String> {
        let found = self.path.join(path).canonicalize().map_err(unreadable)?;
        if !found.starts_with(&self.path) {
            return Err("is a link that leads out of the folder".to_owned());
        }
        // Before it is opened: a pipe would block.
        if !found.is_file() {
            return Err("is no file".to_owned());
        }
        Ok(found)
    }
}
