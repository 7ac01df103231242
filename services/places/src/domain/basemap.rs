//! The map below the site's places.

use chassis::text::line;
use geojson::{FeatureCollection, GeometryValue, Position};
use vocabulary::position::Coordinates;

/// Maximum size of the map in bytes. Compressed it is about a fifth.
const MAX_BYTES: usize = 3 << 20;
/// Kinds of features.
const KINDS: [&str; 6] = ["water", "park", "rail", "tram", "street", "motorway"];

/// A map of lines and areas as GeoJSON, with the credit that its licence requires.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Basemap {
    pub(crate) geojson: String,
    /// Empty if none is required.
    pub(crate) credit: String,
}

impl Basemap {
    /// Rejects a map that pages cannot draw.
    pub(crate) fn checked(self) -> Result<Self, String> {
        if self.geojson.len() > MAX_BYTES {
            return Err(format!("the map has more than {MAX_BYTES} bytes"));
        }
        if !self.credit.is_empty() {
            line("credit", &self.credit)?;
        }
        let map: FeatureCollection = self
            .geojson
            .parse()
            .map_err(|error| format!("the map is no GeoJSON: {error}"))?;
        for feature in &map.features {
            let kind = feature.property("kind").and_then(|kind| kind.as_str());
            if !kind.is_some_and(|kind| KINDS.contains(&kind)) {
                return Err(format!("there is no kind {kind:?} of the map's features"));
            }
            match feature.geometry.as_ref().map(|of| &of.value) {
                Some(GeometryValue::MultiLineString { coordinates }) => {
                    coordinates.iter().try_for_each(|line| check(line))?;
                }
                Some(GeometryValue::MultiPolygon { coordinates }) => {
                    let mut rings = coordinates.iter().flatten();
                    rings.try_for_each(|ring| check(ring))?;
                }
                _ => return Err("a feature has neither lines nor areas".to_owned()),
            }
        }
        Ok(self)
    }
}

fn check(line: &[Position]) -> Result<(), String> {
    for position in line {
        let &[longitude, latitude, ..] = position.as_slice() else {
            return Err("a position of the map lacks a coordinate".to_owned());
        };
        Coordinates::parse(latitude, longitude)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn checked(kind: &str, geometry: &Value) -> Result<Basemap, String> {
        let feature =
            json!({"type": "Feature", "properties": {"kind": kind}, "geometry": geometry});
        let map = json!({"type": "FeatureCollection", "features": [feature]});
        let map = Basemap {
            geojson: map.to_string(),
            credit: String::new(),
        };
        map.checked()
    }

    #[test]
    fn a_map_has_lines_and_areas_of_known_kinds_within_the_world() {
        let lines =
            json!({"type": "MultiLineString", "coordinates": [[[-79.4, 43.6], [-79.3, 43.7]]]});
        assert!(checked("street", &lines).is_ok());
        let areas =
            json!({"type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 0], [1, 1], [0, 0]]]]});
        assert!(checked("park", &areas).is_ok());
        assert!(checked("volcano", &areas).is_err());
        for geometry in [
            json!(null),
            json!({"type": "Point", "coordinates": [0, 0]}),
            json!({"type": "MultiLineString", "coordinates": [[[0, 0], [0, 99]]]}),
        ] {
            assert!(checked("street", &geometry).is_err(), "{geometry}");
        }
        for geojson in ["", "{}", "[]"] {
            let map = Basemap {
                geojson: geojson.to_owned(),
                credit: String::new(),
            };
            assert!(map.checked().is_err(), "{geojson}");
        }
        let map = Basemap {
            geojson: " ".repeat(MAX_BYTES + 1),
            credit: String::new(),
        };
        assert!(map.checked().expect_err("too large").contains("bytes"));
    }
}
