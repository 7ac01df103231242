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
mod shops;
mod shores;
mod shows;
mod sports;
mod streets;
mod studios;
mod tables;
mod treats;

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, bail};
use serde::Deserialize;

pub(crate) use self::canvas::{HEIGHT, WIDTH};
use self::{
    canvas::{Canvas, GRAIN},
    palette::Palette,
};
use crate::demo::{Demo, listed::Directory, random::Random};

/// Maximum size of a picture; there are many pictures, so each must be small.
#[cfg(test)]
const MAX_BYTES: usize = 6 * 1024;

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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
struct Direction {
    scene: String,
    palette: String,
}

impl Direction {
    /// Chooses one of these scenes at random, in any light.
    fn any_of(scenes: &[String], slug: &str) -> Self {
        let mut random = Random::seeded(slug);
        let scenes: Vec<_> = scenes.iter().map(String::as_str).collect();
        Self {
            scene: random.pick(&scenes).to_owned(),
            palette: random.pick(&Palette::all()).name().to_owned(),
        }
    }
}

/// Directions by kind and slug.
type Directions = BTreeMap<String, BTreeMap<String, Direction>>;

fn read_directions(file: &Path) -> anyhow::Result<Directions> {
    let text =
        fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    Ok(toml::from_str(&text)?)
}

/// Draws the pictures of the demo's places and items, and removes pictures whose subject no longer exists.
pub(crate) fn generate(
    demo: &Path,
    directions: &Path,
    listed: &Directory,
) -> anyhow::Result<usize> {
    let city = Demo::read(demo)?;
    let scenes = listed.scenes();
    let mut directions = read_directions(directions)?;
    let folder = demo.join("pictures");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let mut of_places = directions.remove("places").unwrap_or_default();
    let pictured = city.places.iter().filter(|place| place.has_picture());
    for place in pictured.clone() {
        let direction = of_places.remove(&place.slug).or_else(|| {
            let scenes = scenes.get(&place.slug)?;
            Some(Direction::any_of(scenes, &place.slug))
        });
        let picture = draw(&place.slug, &place.kind, direction.as_ref())?;
        fs::write(folder.join(format!("{}.svg", place.slug)), picture)?;
    }
    if let Some(slug) = of_places.keys().next() {
        bail!("pictures.toml directs {slug}, which is no place of the demo");
    }
    let illustrated = city.items.iter().filter(|item| item.has_picture());
    let mut count = pictured.count();
    for item in illustrated {
        let of_kind = directions.get_mut(item.folder);
        let direction = of_kind.and_then(|of_kind| of_kind.remove(&item.slug));
        let name = item.picture_file();
        let picture = draw(&name, &item.subject, direction.as_ref())?;
        let file = folder.join(format!("{name}.svg"));
        fs::create_dir_all(file.parent().unwrap_or(&folder))?;
        fs::write(file, picture)?;
        count += 1;
    }
    let left = directions.iter().flat_map(|(kind, of_kind)| {
        let slugs = of_kind.keys();
        slugs.map(move |slug| format!("{kind}/{slug}"))
    });
    if let Some(nobody) = left.into_iter().next() {
        bail!("pictures.toml directs {nobody}, which is not in the demo");
    }
    Ok(count)
}

/// Draws a picture; without a direction, chooses a scene that suits the subject: the type of a place, the section of an
/// article, the category of an event.
fn draw(slug: &str, kind: &str, direction: Option<&Direction>) -> anyhow::Result<String> {
    let mut random = Random::seeded(slug);
    let (scene, palette) = if let Some(direction) = direction {
        let palette = Palette::named(&direction.palette)
            .with_context(|| format!("there is no palette {:?}", direction.palette))?;
        (direction.scene.as_str(), palette)
    } else {
        (random.pick(suitable(kind)), random.pick(&Palette::all()))
    };
    let canvas = paint(scene, palette, random)?;
    Ok(canvas.finish(GRAIN))
}

/// The number of lights.
pub(crate) fn lights() -> usize {
    Palette::all().len()
}

/// Draws a scene for a photo in the given light, without grain, which would only make the encoded photo larger.
pub(crate) fn draw_scene(name: &str, scene: &str, light: usize) -> anyhow::Result<String> {
    let palettes = Palette::all();
    let palette = palettes[light % palettes.len()];
    Ok(paint(scene, palette, Random::seeded(name))?.finish(""))
}

fn paint(scene: &str, palette: Palette, mut random: Random) -> anyhow::Result<Canvas> {
    let (_, scene) = SCENES
        .into_iter()
        .find(|(name, _)| *name == scene)
        .with_context(|| format!("there is no scene {scene:?}"))?;
    let is_mirrored = random.chance(5);
    let mut canvas = Canvas::new(palette, random, is_mirrored);
    scene(&mut canvas);
    Ok(canvas)
}

/// The scenes that suit a type of place, a section of articles or a category of events.
pub(crate) fn suitable(kind: &str) -> &'static [&'static str] {
    match kind {
        "restaurants" => &["fish", "grill", "platter", "bowl", "patio", "houses"],
        "cafes" => &["counter", "bakery", "houses", "streetcar"],
        "bars" => &["bottles", "records", "skyline"],
        "pubs" => &["pub", "bottles"],
        "quick-bites" => &["hatch", "market", "bowl"],
        "dessert" => &["ice-cream", "tarts", "shaved-ice"],
        "food-halls" => &["hall", "market"],
        "galleries" => &["gallery"],
        "parks" | "outdoors" => &["park", "beach"],
        "news" | "community" => &["streetcar", "houses", "hatch", "park"],
        "culture" | "arts" | "music" | "comedy" | "film" => &["stage", "gallery", "records"],
        "food" | "food-and-drink" => &["bowl", "bakery", "platter", "counter", "tarts", "patio"],
        "real-estate" => &["crane", "houses", "hatch"],
        "sports" => &["rink", "park", "hall", "skyline"],
        "tech" => &["desk", "counter", "records", "streetcar"],
        "travel" => &["train", "skyline", "beach"],
        "markets" => &["market", "hall"],
        _ => &["skyline", "streetcar", "houses"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_light_deterministic_and_self_contained() {
        for (scene, _) in SCENES {
            for palette in ["night", "mint", "brick"] {
                let direction = Direction {
                    scene: scene.to_owned(),
                    palette: palette.to_owned(),
                };
                let first = draw(palette, "restaurants", Some(&direction)).unwrap();
                assert_eq!(
                    first,
                    draw(palette, "restaurants", Some(&direction)).unwrap()
                );
                assert!(
                    first.len() <= MAX_BYTES,
                    "{scene} has {} bytes",
                    first.len()
                );
                let links = first.replace("http://www.w3.org/2000/svg", "");
                assert!(
                    !links.contains("http") && !links.contains("<script"),
                    "{scene}"
                );
            }
        }
    }

    #[test]
    fn every_type_has_scenes_that_exist() {
        for kind in [
            "restaurants",
            "cafes",
            "bars",
            "pubs",
            "quick-bites",
            "dessert",
            "food-halls",
            "galleries",
            "parks",
            "news",
            "culture",
            "food",
            "real-estate",
            "sports",
            "tech",
            "travel",
            "markets",
            "other",
        ] {
            for number in 0..20 {
                draw(&format!("{kind}-{number}"), kind, None).unwrap();
            }
        }
    }

    #[test]
    fn a_grid_of_twelve_does_not_repeat() {
        let directions = read_directions(&crate::file("pictures.toml")).unwrap();
        let city = Demo::read(&crate::content()).unwrap();
        for folder in ["articles", "events", "contests", "videos"] {
            let mut items: Vec<_> = city
                .items
                .iter()
                .filter(|item| item.folder == folder)
                .collect();
            items.sort_by_key(|item| std::cmp::Reverse(item.rest["published"].to_string()));
            let drawn: Vec<_> = items
                .iter()
                .map(|item| {
                    let of_kind = directions.get(folder).and_then(|of| of.get(&item.slug));
                    of_kind.unwrap_or_else(|| panic!("nobody directs {folder}/{}", item.slug))
                })
                .collect();
            for grid in drawn.windows(drawn.len().min(12)) {
                let different: std::collections::BTreeSet<_> = grid.iter().collect();
                assert_eq!(different.len(), grid.len(), "{folder}: {grid:?}");
            }
            let all: std::collections::BTreeSet<_> = drawn.iter().collect();
            assert_eq!(all.len(), drawn.len(), "{folder}: two are drawn alike");
        }
    }
}
