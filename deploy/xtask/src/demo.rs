//! The demo city's folder, as far as this tool needs to understand it.

use std::{fs, path::Path};

use anyhow::{Context, bail};
use serde::Deserialize;

#[derive(Debug)]
pub(crate) struct Demo {
    /// In the order of their names.
    pub(crate) places: Vec<Place>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Place {
    #[serde(skip)]
    pub(crate) slug: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[cfg(test)]
    latitude: f64,
    #[cfg(test)]
    longitude: f64,
    #[cfg(test)]
    picture: String,
    #[cfg(test)]
    #[serde(skip)]
    review: String,
}

impl Demo {
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut places = Vec::new();
        for entry in fs::read_dir(folder.join("places"))? {
            let path = entry?.path();
            let text = fs::read_to_string(&path)?;
            let place = parse(&path, &text)
                .with_context(|| format!("{} is not a place", path.display()))?;
            places.push(place);
        }
        places.sort_by(|one, other| one.slug.cmp(&other.slug));
        Ok(Self { places })
    }
}

fn parse(path: &Path, text: &str) -> anyhow::Result<Place> {
    let Some(parts) = text
        .strip_prefix("+++\n")
        .and_then(|rest| rest.split_once("\n+++\n"))
    else {
        bail!("there is no front matter between +++ lines");
    };
    let slug = path.file_stem().and_then(|stem| stem.to_str());
    Ok(Place {
        slug: slug.context("the file has no name")?.to_owned(),
        #[cfg(test)]
        review: parts.1.trim().to_owned(),
        ..toml::from_str(parts.0)?
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::checkout::Checkout;

    type Point = [f64; 2];

    #[derive(Deserialize)]
    struct Collection {
        features: Vec<Feature>,
    }

    #[derive(Deserialize)]
    struct Feature {
        properties: Properties,
        geometry: Geometry,
    }

    #[derive(Deserialize)]
    struct Properties {
        slug: String,
    }

    #[derive(Deserialize)]
    struct Geometry {
        coordinates: Vec<Vec<Point>>,
    }

    #[derive(Deserialize)]
    struct Types {
        #[serde(rename = "type")]
        types: Vec<Type>,
    }

    #[derive(Deserialize)]
    struct Type {
        slug: String,
    }

    fn folder() -> std::path::PathBuf {
        Checkout::here().path("deploy/demo")
    }

    fn neighbourhoods() -> Vec<Feature> {
        let text = fs::read_to_string(folder().join("neighbourhoods.geojson")).unwrap();
        serde_json::from_str::<Collection>(&text).unwrap().features
    }

    fn contains(ring: &[Point], [x, y]: Point) -> bool {
        ring.windows(2).fold(false, |inside, edge| {
            let ([ax, ay], [bx, by]) = (edge[0], edge[1]);
            let crosses = (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax;
            inside != crosses
        })
    }

    #[test]
    fn each_place_lies_in_one_neighbourhood_and_each_neighbourhood_has_places() {
        let neighbourhoods = neighbourhoods();
        let mut used = BTreeSet::new();
        for place in Demo::read(&folder()).unwrap().places {
            let point = [place.longitude, place.latitude];
            let around: Vec<_> = neighbourhoods
                .iter()
                .filter(|feature| contains(&feature.geometry.coordinates[0], point))
                .map(|feature| feature.properties.slug.as_str())
                .collect();
            assert_eq!(around.len(), 1, "{} lies in {around:?}", place.slug);
            used.extend(around);
        }
        assert_eq!(used.len(), neighbourhoods.len());
    }

    #[test]
    fn rings_are_closed_and_do_not_overlap() {
        let neighbourhoods = neighbourhoods();
        for feature in &neighbourhoods {
            let ring = &feature.geometry.coordinates[0];
            assert_eq!(ring.first(), ring.last(), "{}", feature.properties.slug);
        }
        // A fine grid over the city finds any overlap larger than a house.
        for row in 0..650 {
            for column in 0..1000 {
                let point = [
                    -79.48 + f64::from(column) * 0.0002,
                    43.63 + f64::from(row) * 0.0001,
                ];
                let around = neighbourhoods
                    .iter()
                    .filter(|feature| contains(&feature.geometry.coordinates[0], point));
                assert!(around.count() <= 1, "two neighbourhoods share {point:?}");
            }
        }
    }

    #[test]
    fn types_pictures_and_reviews_are_there() {
        let text = fs::read_to_string(folder().join("listing-types.toml")).unwrap();
        let types: BTreeSet<_> = toml::from_str::<Types>(&text)
            .unwrap()
            .types
            .into_iter()
            .map(|kind| kind.slug)
            .collect();
        let places = Demo::read(&folder()).unwrap().places;
        let mut reviews = BTreeSet::new();
        for place in &places {
            assert!(types.contains(&place.kind), "{} has no type", place.slug);
            assert!(
                folder().join(&place.picture).is_file(),
                "{} has no picture",
                place.slug
            );
            let words = place.review.split_whitespace().count();
            assert!(
                (60..=160).contains(&words),
                "{} has {words} words",
                place.slug
            );
            assert!(
                reviews.insert(&place.review),
                "{} repeats a review",
                place.slug
            );
        }
        assert!(places.len() >= 60);
    }
}
