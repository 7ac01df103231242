//! The files of a content folder. Every mistake is collected with its file and line, so that a publisher can
//! correct all at once.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use chrono_tz::Tz;
use cityguide_proto::{
    editorial::v1::{ImportItem, Kind},
    places::v1::{ImportBestOfList, ImportListing, ImportNeighbourhood, ImportType},
};
use gateway::SiteFacts;
use pictures::MAX_BYTES;
use serde::Deserialize;
use toml::Spanned;

use super::{
    best_of,
    document::{self, Picture},
    file::{content, unreadable},
    item::{File, KINDS, Read},
    photos::Photo,
    pictures::{Kind as PictureKind, Pictures},
    place::{self, PlacePhoto},
};
use crate::import::each_feature;

/// The most bytes of a file of text, and of the neighbourhoods' boundaries.
const MAX_TEXT: u64 = 4 << 20;
const MAX_BOUNDARIES: u64 = 256 << 20;

/// Everything in a folder, read and ready to publish.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    pub(crate) types: Vec<ImportType>,
    pub(crate) neighbourhoods: Vec<ImportNeighbourhood>,
    pub(crate) places: Vec<ImportListing>,
    pub(crate) best_of_lists: Vec<ImportBestOfList>,
    pub(crate) items: Vec<ImportItem>,
    pub(crate) pictures: Pictures,
    pub(crate) photos: Vec<Photo>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypesFile {
    r#type: Vec<TypeEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypeEntry {
    slug: Spanned<String>,
    name: String,
    name_singular: String,
    is_food: bool,
    #[serde(default)]
    is_age_restricted: bool,
}

impl Folder {
    /// Reads a folder of a site; the errors are one line each.
    pub(crate) fn read(root: &Path, site: &SiteFacts) -> Result<Self, Vec<String>> {
        let Some(root) = root.canonicalize().ok().filter(|root| root.is_dir()) else {
            return Err(vec![format!("{} is no folder", root.display())]);
        };
        let mut reader = Reader {
            root: &root,
            zone: site.timezone,
            city: &site.city_slug,
            folder: Self::default(),
            mistakes: Vec::new(),
        };
        reader.types();
        reader.neighbourhoods();
        reader.places();
        reader.best_of_lists();
        reader.items();
        let Reader {
            folder, mistakes, ..
        } = reader;
        if mistakes.is_empty() {
            Ok(folder)
        } else {
            Err(mistakes)
        }
    }
}

struct Reader<'a> {
    /// Without symbolic links.
    root: &'a Path,
    zone: Tz,
    city: &'a str,
    folder: Folder,
    mistakes: Vec<String>,
}

impl Reader<'_> {
    fn types(&mut self) {
        let file = "listing-types.toml";
        let Some(text) = self.optional_text(file, MAX_TEXT) else {
            return;
        };
        match toml::from_str::<TypesFile>(&text) {
            Ok(types) => {
                let line =
                    |entry: &TypeEntry| 1 + document::lines_before(&text, entry.slug.span().start);
                // The city's own page has this address.
                let of_city = |entry: &&TypeEntry| *entry.slug.get_ref() == self.city;
                if let Some(entry) = types.r#type.iter().find(of_city) {
                    self.mistakes.push(format!(
                        "{file}, line {}: the slug {:?} belongs to the site itself",
                        line(entry),
                        self.city
                    ));
                }
                let entries = types.r#type.into_iter().map(|entry| ImportType {
                    position: format!("{file}, line {}", line(&entry)),
                    slug: entry.slug.into_inner(),
                    name: entry.name,
                    name_singular: entry.name_singular,
                    is_food: entry.is_food,
                    is_age_restricted: entry.is_age_restricted,
                });
                self.folder.types = entries.collect();
            }
            Err(error) => self
                .mistakes
                .push(document::toml_mistake(file, &text, 0, &error)),
        }
    }

    fn neighbourhoods(&mut self) {
        let file = "neighbourhoods.geojson";
        let Some(text) = self.optional_text(file, MAX_BOUNDARIES) else {
            return;
        };
        let areas = &mut self.folder.neighbourhoods;
        let outcome = each_feature(text.as_bytes(), |feature| {
            let slug = feature.text("slug");
            areas.push(ImportNeighbourhood {
                source_id: if slug.is_empty() {
                    String::new()
                } else {
                    format!("content:{slug}")
                },
                name: feature.text("name"),
                slug,
                boundary_geojson: feature.geometry.to_string(),
                position: format!("{file}, {}", feature.position),
            });
            true
        });
        if let Err(why) = outcome {
            self.mistakes.push(format!("{file}: {why}"));
        }
    }

    /// Places, in the folder and its subfolders, which only keep hundreds of files in order.
    fn places(&mut self) {
        let inner = self.sections("places").into_iter();
        let folders: Vec<_> = std::iter::once("places".to_owned())
            .chain(inner.map(|folder| format!("places/{folder}")))
            .collect();
        let files = folders.iter().flat_map(|folder| self.files(folder));
        let files: Vec<_> = files.collect();
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for (name, stem) in files {
            if let Some(first) = seen.insert(stem.clone(), name.clone()) {
                self.mistakes
                    .push(format!("{name}: {first} is the same place already"));
                continue;
            }
            let Some(text) = self.optional_text(&name, MAX_TEXT) else {
                continue;
            };
            match place::read(&name, &stem, &text) {
                Ok(place) => {
                    let mut listing = place.listing;
                    let picture = place.picture;
                    listing.image_url = picture.and_then(|picture| self.picture(&picture));
                    for photo in place.photos {
                        self.photo(&listing.source_id, photo);
                    }
                    self.folder.places.push(listing);
                }
                Err(mistakes) => self.mistakes.extend(mistakes),
            }
        }
    }

    /// A photo of a place, with its file.
    fn photo(&mut self, listing: &str, photo: PlacePhoto) {
        let Some(picture) = self.named(&photo.picture) else {
            return;
        };
        let digest = self.file(&picture).and_then(|path| {
            let content = content(&path, MAX_BYTES)?;
            Ok((Photo::digest(&content)?, path))
        });
        match digest {
            Ok((digest, path)) => self.folder.photos.push(Photo {
                position: photo.picture.named_at,
                listing: listing.to_owned(),
                path,
                digest,
                instagram_user: photo.instagram_user,
                description: photo.description,
                licence: photo.licence,
                created: photo.created,
            }),
            Err(why) => self.refuse(&photo.picture, &why),
        }
    }

    fn best_of_lists(&mut self) {
        for (name, stem) in self.files("best-of") {
            let Some(text) = self.optional_text(&name, MAX_TEXT) else {
                continue;
            };
            match best_of::read(&name, &stem, &text) {
                Ok((mut list, picture)) => {
                    list.image_url = picture.and_then(|picture| self.picture(&picture));
                    self.folder.best_of_lists.push(list);
                }
                Err(mistakes) => self.mistakes.extend(mistakes),
            }
        }
    }

    fn items(&mut self) {
        for (folder, kind, read) in KINDS {
            if kind == Kind::Article {
                for section in self.sections(folder) {
                    self.items_of(&format!("{folder}/{section}"), &section, kind, read);
                }
                let strays = self.files(folder).into_iter();
                self.mistakes.extend(strays.map(|(name, _)| {
                    format!("{name}: an article stands in the folder of its section")
                }));
            } else {
                self.items_of(folder, "", kind, read);
            }
        }
    }

    fn items_of(&mut self, folder: &str, section: &str, kind: Kind, read: Read) {
        for (path, stem) in self.files(folder) {
            let Some(text) = self.optional_text(&path, MAX_TEXT) else {
                continue;
            };
            let file = File {
                kind,
                path: &path,
                section,
                stem: &stem,
            };
            match read(&file, &text, self.zone) {
                Ok((mut item, picture)) => {
                    item.image_url = picture.and_then(|picture| self.picture(&picture));
                    self.folder.items.push(item);
                }
                Err(mistakes) => self.mistakes.extend(mistakes),
            }
        }
    }

    /// The address of a picture that a file names.
    fn picture(&mut self, picture: &Picture) -> Option<String> {
        let path = self.named(picture)?;
        let extension = path.extension().and_then(|extension| extension.to_str());
        let taken = match extension.and_then(PictureKind::of) {
            Some(kind) => self.file(&path).and_then(|found| {
                let content = content(&found, kind.most())?;
                self.folder.pictures.add(found, &content, kind)
            }),
            None => Err("is none: its name ends with svg, jpg, jpeg, png or webp".to_owned()),
        };
        taken.map_err(|why| self.refuse(picture, &why)).ok()
    }

    /// The path of a picture that a file names, if it stays within the folder.
    fn named(&mut self, picture: &Picture) -> Option<PathBuf> {
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

    fn refuse(&mut self, picture: &Picture, why: &str) {
        let Picture { named_at, path } = picture;
        let mistake = format!("{named_at}: the picture {path} {why}");
        self.mistakes.push(mistake);
    }

    /// The Markdown files of a folder, by their path in the content folder and their stem.
    fn files(&mut self, folder: &str) -> Vec<(String, String)> {
        let entries = self.entries(folder).into_iter();
        let files = entries.filter(|path| path.extension().is_some_and(|found| found == "md"));
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
    fn sections(&mut self, folder: &str) -> Vec<String> {
        let entries = self.entries(folder).into_iter();
        let folders = entries.filter(|path| path.is_dir());
        folders
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect()
    }

    /// The entries of a folder, by name; none if it does not exist.
    fn entries(&mut self, folder: &str) -> Vec<PathBuf> {
        let path = self.root.join(folder);
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
    fn optional_text(&mut self, name: &str, most: u64) -> Option<String> {
        if self.root.join(name).symlink_metadata().is_err() {
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
    fn file(&self, path: &Path) -> Result<PathBuf, String> {
        let found = self.root.join(path).canonicalize().map_err(unreadable)?;
        if !found.starts_with(self.root) {
            return Err("is a link that leads out of the folder".to_owned());
        }
        // Before it is opened: a pipe would block.
        if !found.is_file() {
            return Err("is no file".to_owned());
        }
        Ok(found)
    }
}
