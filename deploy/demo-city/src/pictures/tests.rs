use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde::Deserialize;

use super::{
    GRAIN, Palette, Picture, SCENES, paint, plan, read_directions,
    scenes::{Scenes, WINDOW},
};
use crate::demo::{Demo, area, lists};

/// Maximum size of a picture; there are many pictures, so each must be small.
const MAX_BYTES: usize = 6 * 1024;

fn city() -> Demo {
    Demo::read(&crate::content()).unwrap()
}

fn areas() -> Vec<area::Area> {
    area::read(&crate::content().join("neighbourhoods.geojson")).unwrap()
}

fn scenes() -> Scenes {
    Scenes::read(&crate::file("scenes.toml")).unwrap()
}

fn planned(city: &Demo) -> Vec<Picture> {
    let directions = read_directions(&crate::file("pictures.toml")).unwrap();
    plan(city, &areas(), &scenes(), &directions).unwrap()
}

/// The scenes of pictures by their names.
fn drawn(pictures: &[Picture]) -> BTreeMap<&str, &str> {
    let pictures = pictures.iter();
    pictures
        .map(|picture| (picture.name.as_str(), picture.scene.as_str()))
        .collect()
}

#[test]
fn every_scene_is_light_deterministic_and_self_contained() {
    for (scene, _) in SCENES {
        for palette in ["night", "mint", "brick"] {
            let draw = || paint(scene, palette, palette).unwrap().finish(GRAIN);
            let first = draw();
            assert_eq!(first, draw());
            let size = first.len();
            assert!(size <= MAX_BYTES, "{scene} has {size} bytes");
            let links = first.replace("http://www.w3.org/2000/svg", "");
            assert!(
                !links.contains("http") && !links.contains("<script"),
                "{scene}"
            );
        }
    }
}

#[derive(Deserialize)]
struct Types {
    r#type: Vec<Type>,
}

#[derive(Deserialize)]
struct Type {
    slug: String,
}

#[test]
fn each_sub_type_section_and_category_has_scenes_and_no_other_has() {
    let city = city();
    let pictured = city.subjects().into_iter();
    let pictured = pictured.filter(|subject| subject.folder == "places" || subject.has_picture);
    let used: BTreeSet<_> = pictured
        .map(|subject| (subject.kind.to_owned(), subject.sub_type.to_owned()))
        .collect();
    let types = fs::read_to_string(crate::content().join("listing-types.toml")).unwrap();
    for kind in toml::from_str::<Types>(&types).unwrap().r#type {
        let slug = kind.slug;
        assert!(used.iter().any(|(kind, _)| *kind == slug), "{slug}");
    }
    let known: BTreeSet<_> = SCENES.iter().map(|(name, _)| *name).collect();
    let (mut rows, mut shown) = (BTreeSet::new(), BTreeSet::new());
    let scenes = scenes().0;
    for (kind, of_kind) in &scenes {
        for (sub_type, scenes) in of_kind {
            rows.insert((kind.clone(), sub_type.clone()));
            let scenes: BTreeSet<_> = scenes.iter().map(String::as_str).collect();
            let fewest = if kind == "events" { 2 } else { 3 };
            assert!(scenes.len() >= fewest, "{kind}, {sub_type}: {scenes:?}");
            shown.extend(scenes);
        }
    }
    assert_eq!(rows, used);
    assert_eq!(shown, known);
}

#[test]
fn each_picture_shows_a_scene_of_its_sub_type_section_or_category() {
    let city = city();
    let pictures = planned(&city);
    let (drawn, scenes) = (drawn(&pictures), scenes());
    for subject in city.subjects() {
        let Some(scene) = drawn.get(subject.name.as_str()) else {
            assert!(!subject.has_picture, "{}", subject.name);
            continue;
        };
        let possible = scenes.of(subject.kind, subject.sub_type);
        assert!(possible.contains(scene), "{}: {scene}", subject.name);
    }
    for picture in &pictures {
        assert!(
            Palette::named(&picture.palette).is_some(),
            "{}",
            picture.name
        );
    }
}

#[test]
fn no_scene_repeats_among_four_neighbours_of_a_list() {
    let city = city();
    let pictures = planned(&city);
    let (drawn, subjects) = (drawn(&pictures), city.subjects());
    let mut repeats = BTreeSet::new();
    for list in lists::of(&city, &areas()) {
        let names: Vec<_> = list.iter().map(|at| &subjects[*at].name).collect();
        for row in names.windows(WINDOW.min(names.len())) {
            let different: BTreeSet<_> = row.iter().map(|name| drawn[name.as_str()]).collect();
            if different.len() < row.len() {
                let row = row
                    .iter()
                    .map(|name| format!("{name} ({})", drawn[name.as_str()]));
                repeats.insert(row.collect::<Vec<_>>().join(", "));
            }
        }
    }
    assert!(repeats.is_empty(), "{repeats:#?}");
}

#[test]
fn no_two_items_of_a_folder_are_drawn_alike() {
    let pictures = planned(&city());
    let mut seen = BTreeSet::new();
    for picture in pictures.iter().filter(|picture| picture.name.contains('/')) {
        let folder = picture.name.split('/').next().unwrap();
        let look = (folder, &picture.scene, &picture.palette);
        assert!(seen.insert(look), "{}", picture.name);
    }
    let events = pictures
        .iter()
        .filter(|picture| picture.name.starts_with("events/"));
    let scenes: Vec<_> = events.map(|picture| &picture.scene).collect();
    // Any six of them can be the next.
    assert_eq!(scenes.iter().collect::<BTreeSet<_>>().len(), scenes.len());
}

/// A site's settings, as far as they order the front page.
#[derive(Deserialize)]
struct Site {
    home: Vec<Block>,
}

#[derive(Deserialize)]
struct Block {
    kind: String,
    #[serde(default)]
    limit: usize,
    r#type: Option<String>,
    section: Option<String>,
}

/// The names of the pictures of each block of a front page, as in `web/src/features/home`. Events are ordered by
/// publication, because the order of their next dates differs from day to day.
fn home(city: &Demo, site: &Site) -> Vec<Vec<String>> {
    let subjects = city.subjects();
    let lists = lists::Orders::of(city);
    let newest = |folder: &str, section: Option<&String>| -> Vec<String> {
        let of_folder = lists.newest.iter().map(|at| &subjects[*at]);
        let of_folder = of_folder.filter(|subject| subject.folder == folder);
        let of_section =
            of_folder.filter(|subject| section.is_none_or(|section| subject.sub_type == section));
        of_section.map(|subject| subject.name.clone()).collect()
    };
    let open = lists
        .reviewed
        .iter()
        .filter(|at| !city.places[**at].is_closed);
    let open: Vec<_> = open.map(|at| &subjects[*at]).collect();
    let mut shown = BTreeSet::new();
    let mut blocks = Vec::new();
    for (number, block) in site.home.iter().enumerate() {
        let names: Vec<_> = match block.kind.as_str() {
            "reviews" | "places" => {
                let kind = block.r#type.as_ref();
                let places = open
                    .iter()
                    .filter(|at| kind.is_none_or(|kind| at.kind == kind));
                places.map(|place| place.name.clone()).collect()
            }
            "lead" | "articles" => newest("articles", block.section.as_ref()),
            "best_of" => {
                let mut best_of: Vec<_> = city.best_of.iter().collect();
                best_of.sort_by_key(|list| std::cmp::Reverse(list.published.to_string()));
                let pictures = best_of.iter().filter_map(|list| {
                    let file = Path::new(&list.picture).file_stem()?;
                    Some(file.to_string_lossy().into_owned())
                });
                pictures.collect()
            }
            kind => newest(kind, None),
        };
        let is_repeated = |name: &String| block.kind != "best_of" && shown.contains(name);
        let mut names: Vec<_> = names
            .into_iter()
            .filter(|name| !is_repeated(name))
            .collect();
        names.truncate(block.limit);
        // Blocks below leave out what the first block shows.
        if number == 0 {
            shown.extend(names.iter().cloned());
        }
        blocks.push(names);
    }
    blocks.retain(|names| !names.is_empty());
    blocks
}

#[test]
fn no_scene_appears_twice_on_a_screen_of_home() {
    let city = city();
    let pictures = planned(&city);
    let drawn = drawn(&pictures);
    for site in ["guide", "news"] {
        let file = crate::file(&format!("../sites/{site}.toml"));
        let site: Site = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let blocks = home(&city, &site);
        assert!(blocks.len() >= 8);
        // A screen shows parts of two blocks at most.
        for screen in blocks.windows(2) {
            let names: Vec<_> = screen.iter().flatten().collect();
            let scenes: Vec<_> = names.iter().map(|name| drawn[name.as_str()]).collect();
            let different: BTreeSet<_> = scenes.iter().collect();
            assert_eq!(different.len(), names.len(), "{names:#?} {scenes:?}");
        }
    }
}
