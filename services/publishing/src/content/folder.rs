//! Content folders. All mistakes are collected with their file and line, so that a publisher can correct them together.

use std::{collections::BTreeMap, path::Path};

use chrono_tz::Tz;
use editorial_proto::v1::{ImportItem, Kind};
use pictures::MAX_BYTES;
use places_proto::v1::{
    ImportBasemap, ImportBestOfList, ImportListing, ImportNeighbourhood, ImportType,
};
use serde::Deserialize;
use site::Site;
use toml::Spanned;

use super::{
    best_of, document,
    file::content,
    item::{File, KINDS, Read},
    past_issue::PastIssue,
    photos::Photo,
    pictures::Pictures,
    place::{self, PlacePhoto},
    references::Reference,
    root::{MAX_TEXT, Root},
};
use crate::import::{Refused, drawn_basemap, each_feature};

/// Maximum size of the neighbourhood boundaries in bytes.
const MAX_BOUNDARIES: u64 = 256 << 20;

/// The parsed contents of a folder, ready to publish.
#[derive(Debug, Default)]
pub struct Folder {
    pub(crate) types: Vec<ImportType>,
    pub(crate) neighbourhoods: Vec<ImportNeighbourhood>,
    pub(crate) basemap: Option<ImportBasemap>,
    pub(crate) places: Vec<ImportListing>,
    pub(crate) best_of_lists: Vec<ImportBestOfList>,
    pub(crate) items: Vec<ImportItem>,
    /// Places that the items refer to.
    pub(crate) references: Vec<Reference>,
    pub(crate) pictures: Pictures,
    pub(crate) photos: Vec<Photo>,
    pub(crate) issues: Vec<PastIssue>,
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
    /// Reads a site's folder. Each error is a single line.
    pub fn read(root: &Path, site: &Site) -> Result<Self, Vec<String>> {
        let mut reader = Reader {
            root: Root::open(root).map_err(|why| vec![why])?,
            zone: site.timezone,
            city: &site.city_slug,
            folder: Self::default(),
        };
        reader.types();
        reader.neighbourhoods();
        reader.basemap();
        reader.portraits();
        reader.places();
        reader.best_of_lists();
        reader.items();
        reader.issues();
        let Reader {
            mut folder, root, ..
        } = reader;
        folder.pictures = root.pictures;
        if root.mistakes.is_empty() {
            Ok(folder)
        } else {
            Err(root.mistakes)
        }
    }
}

struct Reader<'a> {
    root: Root,
    zone: Tz,
    city: &'a str,
    folder: Folder,
}

impl Reader<'_> {
    fn types(&mut self) {
        let file = "listing-types.toml";
        let Some(text) = self.root.optional_text(file, MAX_TEXT) else {
            return;
        };
        match toml::from_str::<TypesFile>(&text) {
            Ok(types) => {
                let line =
                    |entry: &TypeEntry| 1 + document::lines_before(&text, entry.slug.span().start);
                // The city's own page has this address.
                let of_city = |entry: &&TypeEntry| *entry.slug.get_ref() == self.city;
                if let Some(entry) = types.r#type.iter().find(of_city) {
                    self.root.mistakes.push(format!(
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
                .root
                .mistakes
                .push(document::toml_mistake(file, &text, 0, &error)),
        }
    }

    fn neighbourhoods(&mut self) {
        let file = "neighbourhoods.geojson";
        let Some(text) = self.root.optional_text(file, MAX_BOUNDARIES) else {
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
                intro_markdown: String::new(),
                boundary_geojson: feature.geometry.to_string(),
                position: format!("{file}, {}", feature.position),
            });
            true
        });
        if let Err(why) = outcome {
            self.root.mistakes.push(format!("{file}: {why}"));
        }
    }

    /// Reads the folder's own drawing of the map, which needs no credit.
    fn basemap(&mut self) {
        let file = "basemap.geojson";
        let Some(text) = self.root.optional_text(file, MAX_BOUNDARIES) else {
            return;
        };
        let mut refused = Refused::default();
        match drawn_basemap(text.as_bytes(), String::new(), &mut refused) {
            Ok(mut basemap) => {
                file.clone_into(&mut basemap.position);
                self.folder.basemap = Some(basemap);
            }
            Err(why) => self.root.mistakes.push(format!("{file}: {why}")),
        }
        let refused = refused.into_lines().map(|line| format!("{file}, {line}"));
        self.root.mistakes.extend(refused);
    }

    /// Reads the texts about the neighbourhoods.
    fn portraits(&mut self) {
        for (name, stem) in self.root.files("neighbourhoods", "md") {
            let Some(text) = self.root.optional_text(&name, MAX_TEXT) else {
                continue;
            };
            let areas = &mut self.folder.neighbourhoods;
            match areas.iter_mut().find(|area| area.slug == stem) {
                Some(area) => text.trim().clone_into(&mut area.intro_markdown),
                None => self.root.mistakes.push(format!(
                    "{name}: neighbourhoods.geojson has no neighbourhood {stem:?}"
                )),
            }
        }
    }

    /// Reads places from the folder and its subfolders, which are only for organising many files.
    fn places(&mut self) {
        let inner = self.root.sections("places").into_iter();
        let folders: Vec<_> = std::iter::once("places".to_owned())
            .chain(inner.map(|folder| format!("places/{folder}")))
            .collect();
        let files = folders
            .iter()
            .flat_map(|folder| self.root.files(folder, "md"));
        let files: Vec<_> = files.collect();
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for (name, stem) in files {
            if let Some(first) = seen.insert(stem.clone(), name.clone()) {
                self.root
                    .mistakes
                    .push(format!("{name}: {first} is the same place already"));
                continue;
            }
            let Some(text) = self.root.optional_text(&name, MAX_TEXT) else {
                continue;
            };
            match place::read(&name, &stem, &text) {
                Ok(place) => {
                    let mut listing = place.listing;
                    let picture = place.picture;
                    listing.image_url = picture.and_then(|picture| self.root.picture(&picture));
                    for photo in place.photos {
                        self.photo(&listing.source_id, photo);
                    }
                    self.folder.places.push(listing);
                }
                Err(mistakes) => self.root.mistakes.extend(mistakes),
            }
        }
    }

    /// Adds a place's photo with its file.
    fn photo(&mut self, listing: &str, photo: PlacePhoto) {
        let Some(picture) = self.root.named(&photo.picture) else {
            return;
        };
        let digest = self.root.file(&picture).and_then(|path| {
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
            Err(why) => self.root.refuse(&photo.picture, &why),
        }
    }

    fn best_of_lists(&mut self) {
        for (name, stem) in self.root.files("best-of", "md") {
            let Some(text) = self.root.optional_text(&name, MAX_TEXT) else {
                continue;
            };
            match best_of::read(&name, &stem, &text) {
                Ok((mut list, picture)) => {
                    list.image_url = picture.and_then(|picture| self.root.picture(&picture));
                    self.folder.best_of_lists.push(list);
                }
                Err(mistakes) => self.root.mistakes.extend(mistakes),
            }
        }
    }

    fn items(&mut self) {
        for (folder, kind, read) in KINDS {
            if kind == Kind::Article {
                for section in self.root.sections(folder) {
                    self.items_of(&format!("{folder}/{section}"), &section, kind, read);
                }
                let strays = self.root.files(folder, "md").into_iter();
                self.root.mistakes.extend(strays.map(|(name, _)| {
                    format!("{name}: an article stands in the folder of its section")
                }));
            } else {
                self.items_of(folder, "", kind, read);
            }
        }
    }

    /// Reads the past issues of newsletters.
    fn issues(&mut self) {
        let parent = "newsletters";
        for kind in self.root.sections(parent) {
            for (file, stem) in self.root.files(&format!("{parent}/{kind}"), "md") {
                let Some(text) = self.root.optional_text(&file, MAX_TEXT) else {
                    continue;
                };
                match PastIssue::read(&file, &kind, &stem, &text) {
                    Ok(issue) => self.folder.issues.push(issue),
                    Err(mistake) => self.root.mistakes.push(mistake),
                }
            }
        }
        let strays = self.root.files(parent, "md").into_iter();
        self.root.mistakes.extend(strays.map(|(file, _)| {
            format!("{file}: an issue belongs into the folder of its newsletter")
        }));
    }

    fn items_of(&mut self, folder: &str, section: &str, kind: Kind, read: Read) {
        for (path, stem) in self.root.files(folder, "md") {
            let Some(text) = self.root.optional_text(&path, MAX_TEXT) else {
                continue;
            };
            let file = File {
                kind,
                path: &path,
                section,
                stem: &stem,
            };
            match read(&file, &text, self.zone) {
                Ok((mut item, picture, references)) => {
                    item.image_url = picture.and_then(|picture| self.root.picture(&picture));
                    self.folder.items.push(item);
                    self.folder.references.extend(references);
                }
                Err(mistakes) => self.root.mistakes.extend(mistakes),
            }
        }
    }
}
