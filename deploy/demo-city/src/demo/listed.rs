//! The demo city's places without a review, written from `places.toml`, identical on every machine.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::Path,
};

use anyhow::{Context, ensure};
use serde::Deserialize;
use toml::Value;

use super::{
    area::{self, Area},
    random::Random,
};

/// The folder of these places in the content folder.
pub(crate) const FOLDER: &str = "places/listed";

/// Maximum number of attempts to find a spot on a street within a place's neighbourhood.
const TRIES: usize = 50;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Directory {
    streets: BTreeMap<String, Vec<Street>>,
    kind: Vec<Kind>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Street {
    name: String,
    /// Latitude and longitude in degrees.
    from: [f64; 2],
    to: [f64; 2],
    /// The lowest house number at `from`, the highest at `to`.
    numbers: [i32; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    r#type: String,
    sub_type: String,
    #[serde(default)]
    is_without_pictures: bool,
    /// Opening hours, in OpenStreetMap's syntax.
    hours: Vec<String>,
    /// The lines that lists quote, by the name of the place.
    places: BTreeMap<String, String>,
}

/// The position and address of a place.
struct Spot {
    latitude: f64,
    longitude: f64,
    address: String,
}

impl Directory {
    pub(crate) fn read(file: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(file)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        Ok(toml::from_str(&text)?)
    }

    /// Writes a file for each place, and removes files of places that no longer exist.
    pub(crate) fn write(&self, demo: &Path) -> anyhow::Result<usize> {
        let areas = area::read(&demo.join("neighbourhoods.geojson"))?;
        let folder = demo.join(FOLDER);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let mut written = BTreeSet::new();
        for kind in &self.kind {
            for (name, line) in &kind.places {
                let slug = slug_of(name);
                let place = self.place(kind, name, &slug, &areas)?;
                let place = format!("+++\n{place}line = {}\n+++\n", Value::from(line.as_str()));
                fs::write(folder.join(format!("{slug}.md")), place)?;
                ensure!(written.insert(slug), "{name:?} is there twice");
            }
        }
        Ok(written.len())
    }

    /// The front matter of a place, without its line.
    fn place(&self, kind: &Kind, name: &str, slug: &str, areas: &[Area]) -> anyhow::Result<String> {
        let mut random = Random::seeded(slug);
        let area = random.pick(&areas.iter().collect::<Vec<_>>());
        let streets = self.streets.get(&area.slug);
        let streets = streets.with_context(|| format!("{} has no streets", area.slug))?;
        let spot = (0..TRIES)
            .map(|_| {
                Spot::on(
                    random.pick(&streets.iter().collect::<Vec<_>>()),
                    &mut random,
                )
            })
            .find(|spot| area.contains([spot.longitude, spot.latitude]))
            .with_context(|| format!("no street of {} lies in it", area.slug))?;
        let hours = kind.hours.iter().map(String::as_str).collect::<Vec<_>>();
        let mut text = format!(
            "name = \"{name}\"\ntype = \"{}\"\nsub_type = \"{}\"\naddress = \"{}\"\n",
            kind.r#type, kind.sub_type, spot.address
        );
        let has_counter = kind.r#type != "parks";
        if has_counter {
            // Telephone numbers reserved for fiction.
            let line = random.between(100, 199);
            writeln!(text, "phone = \"416-555-0{line}\"")?;
        }
        if has_counter && random.chance(7) {
            writeln!(text, "website = \"https://example.com/{slug}\"")?;
        }
        let Spot {
            latitude,
            longitude,
            ..
        } = spot;
        let (year, month) = random.pick(&[(2025, 3), (2025, 6), (2025, 9), (2025, 11), (2026, 2)]);
        let day = random.between(1, 28);
        writeln!(text, "latitude = {latitude:.5}\nlongitude = {longitude:.5}")?;
        if !kind.is_without_pictures {
            writeln!(text, "picture = \"pictures/{slug}.svg\"")?;
        }
        writeln!(
            text,
            "opening_hours = \"{}\"\npublished = {year}-{month:02}-{day:02}",
            random.pick(&hours)
        )?;
        Ok(text)
    }
}

impl Spot {
    /// A spot at a door of a street: odd numbers on one side, even numbers on the other.
    fn on(street: &Street, random: &mut Random) -> Self {
        let along = f64::from(random.between(0, 1_000)) / 1_000.0;
        let [low, high] = street.numbers.map(f64::from);
        let number = (low + (high - low) * along).round();
        let aside = if number % 2.0 == 0.0 {
            0.00008
        } else {
            -0.00008
        };
        let at = |axis: usize| street.from[axis] + (street.to[axis] - street.from[axis]) * along;
        Self {
            latitude: at(0) + aside,
            longitude: at(1) + aside,
            address: format!("{number} {}", street.name),
        }
    }
}

/// The slug of a name. As in the services, apostrophes are removed, not replaced by hyphens.
fn slug_of(name: &str) -> String {
    slug::slugify(name.replace(['\'', '’'], ""))
}
