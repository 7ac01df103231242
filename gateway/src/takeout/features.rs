//! `Saved Places.json`: a GeoJSON `FeatureCollection`, whose properties have had two formats so far.

use std::fmt;

use serde::{
    Deserialize,
    de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

use super::entry::{Entry, Position};
use crate::edge::body;

/// Maximum nesting depth of a file; Google's files have six levels.
const MAX_DEPTH: usize = 32;
const UNREADABLE: &str = "This JSON cannot be read as “Saved Places.json” of Google Takeout.";
/// Beginning of a text that Google inserts in place of the reader's note.
const NO_NOTE: &str = "No location information is available";

#[derive(Deserialize, Default)]
#[serde(default)]
struct Feature {
    properties: Option<Properties>,
    geometry: Option<Geometry>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Geometry {
    coordinates: Option<Point>,
}

/// Longitude and latitude.
#[derive(Default)]
struct Point([f64; 2]);

/// Capitalised names belong to the older format.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Properties {
    #[serde(rename = "Title")]
    title: Option<String>,
    #[serde(rename = "Comment")]
    comment: Option<String>,
    #[serde(rename = "Google Maps URL", alias = "google_maps_url")]
    url: Option<String>,
    #[serde(rename = "Location", alias = "location")]
    location: Option<Location>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Location {
    #[serde(rename = "Business Name", alias = "name")]
    name: Option<String>,
    #[serde(rename = "Address", alias = "address")]
    address: Option<String>,
    #[serde(rename = "Geo Coordinates")]
    coordinates: Option<Coordinates>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "PascalCase")]
struct Coordinates {
    latitude: Option<Degrees>,
    longitude: Option<Degrees>,
}

/// The older format has degrees as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Degrees {
    Number(f64),
    Text(String),
}

impl Degrees {
    fn value(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.parse().ok(),
        }
    }
}

impl Feature {
    fn pass(self, take: &mut impl FnMut(&Entry<'_>)) {
        let properties = self.properties.unwrap_or_default();
        let location = properties.location.unwrap_or_default();
        let in_location = location.coordinates.and_then(|at| {
            let latitude = at.latitude?.value()?;
            Position::exact(latitude, at.longitude?.value()?)
        });
        let in_geometry = self.geometry.and_then(|geometry| {
            let Point([longitude, latitude]) = geometry.coordinates?;
            Position::exact(latitude, longitude)
        });
        let name = location.name.filter(|name| !name.trim().is_empty());
        let note = properties.comment.unwrap_or_default();
        take(&Entry {
            name: &name.or(properties.title).unwrap_or_default(),
            address: &location.address.unwrap_or_default(),
            note: if note.starts_with(NO_NOTE) { "" } else { &note },
            url: &properties.url.unwrap_or_default(),
            position: in_location.or(in_geometry),
        });
    }
}

/// Passes every feature to `take`.
pub(super) fn each(text: &str, mut take: impl FnMut(&Entry<'_>)) -> Result<(), &'static str> {
    if body::depth(text.as_bytes()) > MAX_DEPTH {
        return Err(UNREADABLE);
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = reader.deserialize_map(Collection(&mut take));
    let read = read.and_then(|()| reader.end());
    read.map_err(|_| UNREADABLE)
}

struct Collection<'a, F>(&'a mut F);

impl<'de, F: FnMut(&Entry<'_>)> Visitor<'de> for Collection<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a FeatureCollection")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let mut has_features = false;
        while let Some(name) = fields.next_key::<String>()? {
            if name == "features" {
                has_features = true;
                fields.next_value_seed(Features(&mut *self.0))?;
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        if has_features {
            return Ok(());
        }
        Err(A::Error::missing_field("features"))
    }
}

struct Features<'a, F>(&'a mut F);

impl<'de, F: FnMut(&Entry<'_>)> DeserializeSeed<'de> for Features<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, F: FnMut(&Entry<'_>)> Visitor<'de> for Features<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of features")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut features: A) -> Result<(), A::Error> {
        while let Some(feature) = features.next_element::<Feature>()? {
            feature.pass(self.0);
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Degree)
    }
}

/// Reads the first two numbers of a position and ignores further ones, such as an altitude.
struct Degree;

impl<'de> Visitor<'de> for Degree {
    type Value = Point;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two numbers of degrees")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Point, A::Error> {
        let mut point = Point::default();
        for number in &mut point.0 {
            *number = numbers.next_element()?.unwrap_or_default();
        }
        while numbers.next_element::<IgnoredAny>()?.is_some() {}
        Ok(point)
    }
}
