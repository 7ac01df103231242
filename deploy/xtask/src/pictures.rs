//! The demo city's pictures: drawn, not photographed, and the same on every machine.

mod canvas;
mod outdoors;
mod palette;
mod random;
mod rooms;
mod streets;
mod tables;
mod treats;

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, bail};
use serde::Deserialize;

use self::{canvas::Canvas, palette::Palette, random::Random};
use crate::demo::Demo;

/// Pictures are many; each stays light.
#[cfg(test)]
const MOST_BYTES: usize = 6 * 1024;

type Scene = fn(&mut Canvas);

const SCENES: [(&str, Scene); 24] = [
    ("bakery", rooms::bakery),
    ("beach", outdoors::beach),
    ("bottles", rooms::bottles),
    ("bowl", treats::bowl),
    ("brunch", tables::brunch),
    ("counter", rooms::counter),
    ("dumplings", tables::dumplings),
    ("fish", tables::fish),
    ("gallery", rooms::gallery),
    ("grill", tables::grill),
    ("hall", rooms::hall),
    ("hatch", streets::hatch),
    ("houses", streets::houses),
    ("ice-cream", treats::ice_cream),
    ("market", streets::market),
    ("park", outdoors::park),
    ("patio", streets::patio),
    ("platter", tables::platter),
    ("pub", streets::pub_front),
    ("records", rooms::records),
    ("shaved-ice", treats::shaved_ice),
    ("skyline", outdoors::skyline),
    ("streetcar", streets::streetcar),
    ("tarts", treats::tarts),
];

/// What `pictures.toml` asks for one place.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Direction {
    scene: String,
    palette: String,
}

/// Draws the picture of every place of the demo, and removes those of places that are gone.
pub(crate) fn generate(demo: &Path, directions: &Path) -> anyhow::Result<usize> {
    let city = Demo::read(demo)?;
    let text = fs::read_to_string(directions)
        .with_context(|| format!("{} cannot be read", directions.display()))?;
    let mut directions: BTreeMap<String, Direction> = toml::from_str(&text)?;
    let folder = demo.join("pictures");
    fs::create_dir_all(&folder)?;
    for old in fs::read_dir(&folder)? {
        let old = old?.path();
        if old.extension().is_some_and(|extension| extension == "svg") {
            fs::remove_file(old)?;
        }
    }
    for place in &city.places {
        let direction = directions.remove(&place.slug);
        let picture = draw(&place.slug, &place.kind, direction.as_ref())?;
        fs::write(folder.join(format!("{}.svg", place.slug)), picture)?;
    }
    if let Some(slug) = directions.keys().next() {
        bail!("pictures.toml directs {slug}, which is no place of the demo");
    }
    Ok(city.places.len())
}

/// Draws one picture; what nobody directed is chosen from what suits the type of place.
fn draw(slug: &str, kind: &str, direction: Option<&Direction>) -> anyhow::Result<String> {
    let mut random = Random::of(slug);
    let (scene, palette) = if let Some(direction) = direction {
        let palette = Palette::named(&direction.palette)
            .with_context(|| format!("there is no palette {:?}", direction.palette))?;
        (direction.scene.as_str(), palette)
    } else {
        (random.pick(suitable(kind)), random.pick(&Palette::all()))
    };
    let (_, scene) = SCENES
        .into_iter()
        .find(|(name, _)| *name == scene)
        .with_context(|| format!("there is no scene {scene:?}"))?;
    let mirrored = random.chance(5);
    let mut canvas = Canvas::new(palette, random);
    scene(&mut canvas);
    Ok(canvas.finish(mirrored))
}

fn suitable(kind: &str) -> &'static [&'static str] {
    match kind {
        "restaurants" => &["fish", "grill", "platter", "bowl", "patio", "houses"],
        "cafes" => &["counter", "bakery", "houses", "streetcar"],
        "bars" => &["bottles", "records", "skyline"],
        "pubs" => &["pub", "bottles"],
        "quick-bites" => &["hatch", "market", "bowl"],
        "dessert" => &["ice-cream", "tarts", "shaved-ice"],
        "food-halls" => &["hall", "market"],
        "galleries" => &["gallery"],
        "parks" => &["park", "beach"],
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
                    first.len() <= MOST_BYTES,
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
            "other",
        ] {
            for number in 0..20 {
                draw(&format!("{kind}-{number}"), kind, None).unwrap();
            }
        }
    }
}
