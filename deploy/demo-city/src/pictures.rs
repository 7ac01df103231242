//! The demo city's pictures: drawn, not photographed, and the same on every machine.

mod bowls;
mod canvas;
mod dishes;
mod drinks;
mod handheld;
mod happenings;
mod interiors;
mod outdoors;
mod palette;
mod patios;
mod rooms;
pub(crate) mod scenes;
mod shops;
mod shores;
mod shows;
mod sports;
mod streets;
mod studios;
mod tables;
#[cfg(test)]
mod tests;
mod treats;

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, ensure};
use serde::Deserialize;

pub(crate) use self::canvas::{HEIGHT, WIDTH};
use self::{
    canvas::{Canvas, GRAIN},
    palette::Palette,
    scenes::{Scenes, choose},
};
use crate::demo::{
    Demo,
    area::Area,
    lists::{self, Subject},
    random::Random,
};

type Scene = fn(&mut Canvas);

const SCENES: [(&str, Scene); 93] = [
    ("bakery", rooms::bakery),
    ("bandshell", outdoors::bandshell),
    ("beach", shores::beach),
    ("boardwalk", patios::boardwalk),
    ("boats", happenings::boats),
    ("bookshop", interiors::bookshop),
    ("bottles", rooms::bottles),
    ("bowl", bowls::bowl),
    ("brass", shows::brass),
    ("brunch", tables::brunch),
    ("bubble-tea", drinks::bubble_tea),
    ("burger", handheld::burger),
    ("cakes", treats::cakes),
    ("choir", shows::choir),
    ("cocktail", drinks::cocktail),
    ("counter", rooms::counter),
    ("court", sports::court),
    ("crane", happenings::crane),
    ("crossing", happenings::crossing),
    ("curling", sports::curling),
    ("depot", streets::depot),
    ("desk", happenings::desk),
    ("doughnuts", treats::doughnuts),
    ("dumplings", tables::dumplings),
    ("easel", studios::easel),
    ("ferry", shores::ferry),
    ("fish", tables::fish),
    ("flea", shops::flea),
    ("fries", handheld::fries),
    ("gallery", studios::gallery),
    ("gelato", treats::gelato),
    ("greenhouse", interiors::greenhouse),
    ("grill", tables::grill),
    ("hall", rooms::hall),
    ("hatch", shops::hatch),
    ("houses", streets::houses),
    ("ice-cream", treats::ice_cream),
    ("jars", interiors::jars),
    ("lane-film", shows::lane_film),
    ("laneway", streets::laneway),
    ("lanterns", outdoors::lanterns),
    ("latte", drinks::latte),
    ("laundromat", interiors::laundromat),
    ("lighthouse", shores::lighthouse),
    ("market", shops::market),
    ("microphone", shows::microphone),
    ("narrow-house", streets::narrow_house),
    ("noodle-soup", bowls::noodle_soup),
    ("oven", rooms::oven),
    ("oysters", dishes::oysters),
    ("park", outdoors::park),
    ("pasta", dishes::pasta),
    ("patio", patios::patio),
    ("piano", shows::piano),
    ("pizza", dishes::pizza),
    ("platter", tables::platter),
    ("plinths", studios::plinths),
    ("pottery", studios::pottery),
    ("prints", studios::prints),
    ("produce", shops::produce),
    ("pub", streets::pub_front),
    ("radio", happenings::radio),
    ("records", rooms::records),
    ("rink", sports::rink),
    ("roaster", drinks::roaster),
    ("rowing", shores::rowing),
    ("runners", sports::runners),
    ("salad", bowls::salad),
    ("sandwich", handheld::sandwich),
    ("seeds", interiors::seeds),
    ("shaved-ice", treats::shaved_ice),
    ("signs", studios::signs),
    ("skyline", shores::skyline),
    ("snug", interiors::snug),
    ("soup", bowls::soup),
    ("square", outdoors::square),
    ("stage", shows::stage),
    ("stairs", outdoors::stairs),
    ("steak", dishes::steak),
    ("stone-bowl", bowls::stone_bowl),
    ("storefront", shops::storefront),
    ("streetcar", streets::streetcar),
    ("sushi", dishes::sushi),
    ("tacos", dishes::tacos),
    ("taps", drinks::taps),
    ("tarts", treats::tarts),
    ("teapot", drinks::teapot),
    ("terrace", patios::terrace),
    ("thali", dishes::thali),
    ("track", sports::track),
    ("train", happenings::train),
    ("wine", drinks::wine),
    ("wraps", handheld::wraps),
];

/// The directions of `pictures.toml` for one picture.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Direction {
    /// Chosen from the scenes of the sub-type, section or category if absent.
    scene: Option<String>,
    palette: String,
}

/// Directions by folder and slug.
type Directions = BTreeMap<String, BTreeMap<String, Direction>>;

fn read_directions(file: &Path) -> anyhow::Result<Directions> {
    let text =
        fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(toml::from_str(&text)?)
}

/// A picture to draw.
#[derive(Debug)]
struct Picture {
    /// The file without its extension, which also determines the details of the drawing.
    name: String,
    scene: String,
    palette: String,
}

/// Draws the pictures of the demo's places and items, and removes pictures whose subject no longer exists.
pub(crate) fn generate(
    demo: &Path,
    areas: &[Area],
    scenes: &Scenes,
    directions: &Path,
) -> anyhow::Result<usize> {
    let city = Demo::read(demo)?;
    let planned = plan(&city, areas, scenes, &read_directions(directions)?)?;
    let folder = demo.join("pictures");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for picture in &planned {
        let file = folder.join(format!("{}.svg", picture.name));
        fs::create_dir_all(file.parent().unwrap_or(&folder))?;
        let canvas = paint(&picture.scene, &picture.palette, &picture.name)?;
        fs::write(file, canvas.finish(GRAIN))?;
    }
    Ok(planned.len())
}

/// Plans the pictures of places and items: as directed, otherwise with a scene that is true to them, and different from
/// their neighbours in lists.
fn plan(
    city: &Demo,
    areas: &[Area],
    scenes: &Scenes,
    directions: &Directions,
) -> anyhow::Result<Vec<Picture>> {
    let subjects = city.subjects();
    for (folder, of_folder) in directions {
        for slug in of_folder.keys() {
            let is_known = |subject: &Subject<'_>| subject.folder == folder && subject.slug == slug;
            let is_there = subjects.iter().any(is_known);
            ensure!(
                is_there,
                "pictures.toml directs {folder}/{slug}, which is not in the demo"
            );
        }
    }
    let lists = lists::of(city, areas);
    let direction = |subject: &Subject<'_>| directions.get(subject.folder)?.get(subject.slug);
    let palettes_of = |subject: &Subject<'_>| match direction(subject) {
        Some(direction) => vec![direction.palette.as_str()],
        None => Palette::all().map(|palette| palette.name()).to_vec(),
    };
    let scenes_of = |subject: &Subject<'_>| {
        let directed = direction(subject).and_then(|direction| direction.scene.as_deref());
        directed.map_or_else(
            || scenes.of(subject.kind, subject.sub_type),
            |scene| vec![scene],
        )
    };
    let palettes = choose(&subjects, palettes_of, &lists);
    let scenes = choose(&subjects, scenes_of, &lists);
    let chosen = subjects.iter().zip(scenes.into_iter().zip(palettes));
    chosen
        .filter(|(subject, _)| subject.has_picture)
        .map(|(subject, (scene, palette))| {
            let missing = || format!("{:?} has no scenes", subject.sub_type);
            Ok(Picture {
                name: subject.name.clone(),
                scene: scene.with_context(missing)?.to_owned(),
                palette: palette.unwrap_or_default().to_owned(),
            })
        })
        .collect()
}

/// The number of lights.
pub(crate) fn lights() -> usize {
    Palette::all().len()
}

/// Draws a scene for a photo in the given light, without grain, which would only make the encoded photo larger.
pub(crate) fn draw_scene(name: &str, scene: &str, light: usize) -> anyhow::Result<String> {
    let palettes = Palette::all();
    let palette = palettes[light % palettes.len()];
    Ok(paint(scene, palette.name(), name)?.finish(""))
}

fn paint(scene: &str, palette: &str, name: &str) -> anyhow::Result<Canvas> {
    let (_, scene) = SCENES
        .into_iter()
        .find(|(name, _)| *name == scene)
        .with_context(|| format!("there is no scene {scene:?}"))?;
    let palette =
        Palette::named(palette).with_context(|| format!("there is no palette {palette:?}"))?;
    let mut random = Random::seeded(name);
    let is_mirrored = random.chance(5);
    let mut canvas = Canvas::new(palette, random, is_mirrored);
    scene(&mut canvas);
    Ok(canvas)
}
