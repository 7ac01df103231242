//! The outlines of the demo city's neighbourhoods.

use std::{fs, path::Path};

use anyhow::Context;
use serde::Deserialize;

/// Longitude and latitude, in degrees.
pub(crate) type Point = [f64; 2];

/// A neighbourhood without holes.
#[derive(Debug)]
pub(crate) struct Area {
    pub(crate) slug: String,
    pub(crate) ring: Vec<Point>,
}

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

/// Reads neighbourhoods from GeoJSON.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<Area>> {
    let text = fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    let collection: Collection = serde_json::from_str(&text)?;
    let features = collection.features.into_iter();
    features
        .map(|feature| {
            let slug = feature.properties.slug;
            let mut rings = feature.geometry.coordinates.into_iter();
            let ring = rings
                .next()
                .with_context(|| format!("{slug} has no ring"))?;
            Ok(Area { slug, ring })
        })
        .collect()
}

impl Area {
    /// Whether the area contains a point: a ray from the point crosses the ring an odd number of times.
    pub(crate) fn contains(&self, [x, y]: Point) -> bool {
        self.ring.windows(2).fold(false, |inside, edge| {
            let ([ax, ay], [bx, by]) = (edge[0], edge[1]);
            let crosses = (ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax;
            inside != crosses
        })
    }
}
