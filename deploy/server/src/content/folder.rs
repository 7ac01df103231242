//! What a content folder holds. Every mistake is collected with its file and line, so that a
//! publisher mends them in one go.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use chassis::blobs;
use cityguide_proto::places::v1::{ImportListing, ImportNeighbourhood, ImportType};
use serde::Deserialize;

use super::place;
use crate::import::each_feature;

/// Everything in a folder, read and ready to publish.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    pub(crate) types: Vec<ImportType>,
    pub(crate) neighbourhoods: Vec<ImportNeighbourhood>,
    pub(crate) places: Vec<ImportListing>,
    /// By their key.
    pub(crate) pictures: BTreeMap<String, Vec<u8>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypesFile {
    r#type: Vec<TypeEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TypeEntry {
    slug: String,
    name: String,
    name_singular: String,
    is_food: bool,
}

impl Folder {
    /// Reads a folder; the errors are one line each.
    pub(crate) fn read(root: &Path) -> Result<Self, Vec<String>> {
        if !root.is_dir() {
            return Err(vec![format!("{} is no folder", root.display())]);
        }
        let mut reader = Reader {
            root,
            folder: Self::default(),
            mistakes: Vec::new(),
        };
        reader.types();
        reader.neighbourhoods();
        reader.places();
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
    root: &'a Path,
    folder: Folder,
    mistakes: Vec<String>,
}

impl Reader<'_> {
    fn types(&mut self) {
        let file = "listing-types.toml";
        let Some(text) = self.optional_text(file) else {
            return;
        };
        match toml::from_str::<TypesFile>(&text) {
            Ok(types) => {
                let entries = types.r#type.into_iter().map(|entry| ImportType {
                    slug: entry.slug,
                    name: entry.name,
                    name_singular: entry.name_singular,
                    is_food: entry.is_food,
                });
                self.folder.types = entries.collect();
            }
            Err(error) => self
                .mistakes
                .push(place::toml_mistake(file, &text, 0, &error)),
        }
    }

    fn neighbourhoods(&mut self) {
        let file = "neighbourhoods.geojson";
        let Some(text) = self.optional_text(file) else {
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

    fn places(&mut self) {
        for file in self.files("places", "md") {
            let name = format!(
                "places/{}",
                file.file_name().unwrap_or_default().to_string_lossy()
            );
            let Some(text) = self.optional_text(&name) else {
                continue;
            };
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            match place::read(&name, &stem, &text) {
                Ok((mut listing, picture)) => {
                    if let Some(picture) = picture {
                        listing.image_url = self.picture(&name, &picture);
                    }
                    self.folder.places.push(listing);
                }
                Err(mistake) => self.mistakes.push(mistake),
            }
        }
    }

    /// The address of a picture that a place names.
    fn picture(&mut self, of: &str, relative: &str) -> Option<String> {
        let path = Path::new(relative);
        let stays_within = path
            .components()
            .all(|part| matches!(part, std::path::Component::Normal(_)));
        let extension = path.extension().and_then(|extension| extension.to_str());
        let Some(extension @ ("svg" | "jpg" | "png" | "webp")) = extension.filter(|_| stays_within)
        else {
            self.mistakes.push(format!(
                "{of}: the picture {relative:?} is no picture of this folder"
            ));
            return None;
        };
        match fs::read(self.root.join(path)) {
            Ok(content) => {
                let key = blobs::key_of(&content, extension);
                let address = format!("/media/{key}");
                self.folder.pictures.insert(key, content);
                Some(address)
            }
            Err(error) => {
                self.mistakes.push(format!(
                    "{of}: the picture {relative} cannot be read: {error}"
                ));
                None
            }
        }
    }

    fn files(&mut self, folder: &str, extension: &str) -> Vec<PathBuf> {
        let path = self.root.join(folder);
        if !path.exists() {
            return Vec::new();
        }
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) => {
                self.mistakes
                    .push(format!("{folder}/ cannot be read: {error}"));
                return Vec::new();
            }
        };
        let mut files: Vec<_> = entries
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|found| found == extension))
            .collect();
        files.sort();
        files
    }

    /// The text of a file; nothing where it does not exist.
    fn optional_text(&mut self, name: &str) -> Option<String> {
        let path = self.root.join(name);
        if !path.exists() {
            return None;
        }
        match fs::read_to_string(path) {
            Ok(text) => Some(text),
            Err(error) => {
                self.mistakes
                    .push(format!("{name} cannot be read: {error}"));
                None
            }
        }
    }
}
