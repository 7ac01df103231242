//! The plan of the readers' photos, identical on every machine.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::Context;
use serde::Deserialize;

use crate::{
    demo::random::Random,
    pictures::{lights, scenes::Scenes},
};

/// Total number of photos.
const PHOTOS: usize = 300;
/// Number of best ranked places, which have the most photos.
const BEST_RANKED: usize = 14;
/// Photos of each best ranked place.
const OF_BEST_RANKED: usize = 9;
/// Scenes that suit the surroundings of any place.
const NEARBY: [&str; 4] = ["houses", "patio", "skyline", "streetcar"];
/// Step of the light from one photo of a place to the next.
const NEXT_LIGHT: usize = 5;
/// Photos of each other ranked place. Places without a rank have one photo each, until the total is reached.
const OF_RANKED: usize = 3;

/// A place of the site.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) id: i64,
    pub(crate) slug: String,
    /// The slug of the place's type.
    pub(crate) kind: String,
    /// The name of the place's sub-type, or empty.
    pub(crate) sub_type: String,
    /// The place's best rank in the magazine's lists, from 1.
    pub(crate) rank: Option<i32>,
}

/// The contents of `photos.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    pub(crate) readers: Vec<String>,
    /// Captions by scene.
    captions: BTreeMap<String, Vec<String>>,
}

impl Words {
    pub(crate) fn read(file: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(file)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        Ok(toml::from_str(&text)?)
    }
}

/// A photo that a reader uploads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Planned {
    pub(crate) listing: i64,
    /// The name of the photo, which determines the drawing.
    pub(crate) name: String,
    pub(crate) scene: String,
    /// The index of the photo's light.
    pub(crate) light: usize,
    pub(crate) reader: usize,
    /// Empty for some photos.
    pub(crate) description: String,
    pub(crate) licence: &'static str,
}

/// The planned photos of all readers.
#[derive(Debug)]
pub(crate) struct Plan(Vec<Planned>);

impl Plan {
    /// Plans the photos of these places.
    pub(crate) fn new(words: &Words, scenes: &Scenes, places: &[Place]) -> Self {
        let mut places: Vec<_> = places.iter().collect();
        places.sort_by_key(|place| {
            let by_chance = Random::seeded(&place.slug).between(0, i32::MAX);
            (place.rank.is_none(), place.rank, by_chance)
        });
        let mut photos = Vec::new();
        let of_places = places.iter().enumerate().map(|(rank, place)| {
            let count = match rank {
                _ if rank < BEST_RANKED => OF_BEST_RANKED,
                _ if place.rank.is_some() => OF_RANKED,
                _ => 1,
            };
            (*place, count)
        });
        for (place, count) in of_places {
            let left = PHOTOS - photos.len();
            let numbers = 0..count.min(left);
            photos.extend(numbers.map(|number| photo(words, scenes, place, number)));
        }
        Self(photos)
    }

    /// The photos of one reader, in the order in which they are uploaded.
    pub(crate) fn of_reader(&self, reader: usize) -> impl Iterator<Item = &Planned> {
        self.0.iter().filter(move |photo| photo.reader == reader)
    }
}

/// Plans the `number`th photo of a place. The photos of a place differ in scene or light while there are enough
/// combinations.
fn photo(words: &Words, scenes: &Scenes, place: &Place, number: usize) -> Planned {
    let mut of_place = Random::seeded(&place.slug);
    let mut scenes = scenes.of(&place.kind, &place.sub_type);
    let nearby = NEARBY.into_iter();
    let nearby: Vec<_> = nearby.filter(|scene| !scenes.contains(scene)).collect();
    scenes.extend(nearby);
    let scene = turn(&mut of_place, scenes.len(), number);
    let light = turn(&mut of_place, lights(), number * NEXT_LIGHT);
    let scene = scenes[scene];
    let name = format!("{} photo {number}", place.slug);
    let mut random = Random::seeded(&name);
    let captions = words.captions.get(scene).map(Vec::as_slice);
    let captions: Vec<_> = captions
        .unwrap_or_default()
        .iter()
        .map(String::as_str)
        .collect();
    let description = if captions.is_empty() || random.chance(3) {
        String::new()
    } else {
        random.pick(&captions).to_owned()
    };
    let readers: Vec<_> = (0..words.readers.len()).collect();
    Planned {
        listing: place.id,
        scene: scene.to_owned(),
        light,
        reader: random.pick(&readers),
        description,
        licence: random.pick(&[
            "all-rights-reserved",
            "all-rights-reserved",
            "CC-BY-4.0",
            "CC-BY-SA-4.0",
            "CC0-1.0",
        ]),
        name,
    }
}

/// Returns the `number`th position, counted from a random start.
fn turn(random: &mut Random, count: usize, number: usize) -> usize {
    let all: Vec<_> = (0..count).collect();
    (random.pick(&all) + number) % count
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn words() -> Words {
        Words::read(&crate::file("photos.toml")).unwrap()
    }

    fn scenes() -> Scenes {
        Scenes::read(&crate::file("scenes.toml")).unwrap()
    }

    fn places() -> Vec<Place> {
        let place = |number: i64| Place {
            id: number,
            slug: format!("place-{number}"),
            kind: "cafes".to_owned(),
            sub_type: "Roastery".to_owned(),
            rank: (number % 4 == 0).then_some(1),
        };
        (0..260).map(place).collect()
    }

    #[test]
    fn three_hundred_photos_of_all_readers_with_several_of_the_best_ranked_places() {
        let words = words();
        let plan = Plan::new(&words, &scenes(), &places());
        assert_eq!(plan.0.len(), PHOTOS);
        let names: BTreeSet<_> = plan.0.iter().map(|photo| &photo.name).collect();
        assert_eq!(names.len(), PHOTOS, "no two are drawn alike");
        let mut of_places = BTreeMap::<i64, usize>::new();
        for photo in &plan.0 {
            *of_places.entry(photo.listing).or_default() += 1;
        }
        let many = of_places.values().filter(|count| **count == OF_BEST_RANKED);
        assert_eq!(many.count(), BEST_RANKED);
        let looks = |id: i64| {
            let photos = plan.0.iter().filter(move |photo| photo.listing == id);
            let looks = photos.map(|photo| (&photo.scene, photo.light));
            looks.collect::<BTreeSet<_>>().len()
        };
        for (id, count) in &of_places {
            assert_eq!(looks(*id), *count, "photos of a place look alike");
        }
        for reader in 0..words.readers.len() {
            let count = plan.of_reader(reader).count();
            // A real reader could upload these: the site refuses more than 120 within an hour.
            assert!((1..=60).contains(&count), "{reader} has {count}");
        }
        // The order in which the site lists its places changes nothing.
        let reversed: Vec<_> = places().into_iter().rev().collect();
        assert_eq!(Plan::new(&words, &scenes(), &reversed).0, plan.0);
    }

    #[test]
    fn every_scene_of_places_has_captions() {
        let words = words();
        let scenes = scenes().0;
        let items = ["articles", "events", "contests", "videos"];
        let of_places = scenes
            .iter()
            .filter(|(kind, _)| !items.contains(&kind.as_str()));
        let of_places = of_places.flat_map(|(_, rows)| rows.values().flatten());
        for scene in of_places.map(String::as_str).chain(NEARBY) {
            assert!(words.captions.contains_key(scene), "{scene}");
        }
    }
}
