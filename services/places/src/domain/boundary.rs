//! Neighbourhood boundaries, and look-up of a position's neighbourhood.

use geo::{BoundingRect, Intersects, MultiPolygon, Point, Rect};
use geojson::{Geometry, GeometryValue};
use serde_json::Value;
use vocabulary::position::Coordinates;

/// A validated boundary.
#[derive(Debug, Clone)]
pub(crate) struct Boundary {
    shape: MultiPolygon<f64>,
    frame: Rect<f64>,
}

impl Boundary {
    /// Parses a GeoJSON `Polygon` or `MultiPolygon` (RFC 7946): longitude before latitude, closed rings.
    pub(crate) fn parse(geojson: &Value) -> Result<Self, String> {
        let geometry: Geometry = serde_json::from_value(geojson.clone())
            .map_err(|error| format!("the boundary is no GeoJSON geometry: {error}"))?;
        let polygons = match geometry.value {
            GeometryValue::Polygon { coordinates } => vec![coordinates],
            GeometryValue::MultiPolygon { coordinates } => coordinates,
            _ => return Err("the boundary is neither Polygon nor MultiPolygon".to_owned()),
        };
        for ring in polygons.iter().flatten() {
            if ring.len() < 4 || ring.first() != ring.last() {
                return Err("a ring of the boundary is not closed".to_owned());
            }
            for position in ring {
                let &[longitude, latitude, ..] = position.as_slice() else {
                    return Err("a position of the boundary lacks a coordinate".to_owned());
                };
                Coordinates::parse(latitude, longitude)?;
            }
        }
        let shape: MultiPolygon<f64> = MultiPolygon::try_from(GeometryValue::MultiPolygon {
            coordinates: polygons,
        })
        .map_err(|error| format!("the boundary cannot be read: {error}"))?;
        let frame = shape.bounding_rect().ok_or("the boundary is empty")?;
        Ok(Self { shape, frame })
    }

    /// Whether a position is within or on the boundary.
    pub(crate) fn holds(&self, at: Coordinates) -> bool {
        let point = Point::new(at.longitude, at.latitude);
        self.frame.intersects(&point) && self.shape.intersects(&point)
    }
}

/// All boundaries of the city, by neighbourhood id.
#[derive(Debug, Clone, Default)]
pub(crate) struct Boundaries {
    by_id: Vec<(i64, Boundary)>,
}

impl Boundaries {
    /// Sorts the boundaries by id, so that a position on a shared edge always belongs to the same neighbourhood.
    pub(crate) fn new(mut by_id: Vec<(i64, Boundary)>) -> Self {
        by_id.sort_by_key(|(id, _)| *id);
        Self { by_id }
    }

    /// Returns the neighbourhood of a position.
    pub(crate) fn around(&self, at: Coordinates) -> Option<i64> {
        self.by_id
            .iter()
            .find(|(_, boundary)| boundary.holds(at))
            .map(|(id, _)| *id)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn square(west: f64, south: f64) -> Value {
        let (east, north) = (west + 1.0, south + 1.0);
        json!({"type": "Polygon", "coordinates":
            [[[west, south], [east, south], [east, north], [west, north], [west, south]]]})
    }

    fn at(latitude: f64, longitude: f64) -> Coordinates {
        Coordinates {
            latitude,
            longitude,
        }
    }

    #[test]
    fn a_position_belongs_to_the_boundary_around_it_and_an_edge_to_the_first() {
        let parse = |value| Boundary::parse(&value).expect("valid");
        let all = Boundaries::new(vec![
            (2, parse(square(-79.0, 43.0))),
            (1, parse(square(-80.0, 43.0))),
        ]);
        assert_eq!(all.around(at(43.5, -79.5)), Some(1));
        assert_eq!(all.around(at(43.5, -78.5)), Some(2));
        assert_eq!(all.around(at(43.5, -79.0)), Some(1));
        assert_eq!(all.around(at(45.0, -79.5)), None);
    }

    #[test]
    fn a_hole_is_outside() {
        let with_hole = json!({"type": "MultiPolygon", "coordinates": [[
            [[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]],
            [[3, 3], [6, 3], [6, 6], [3, 6], [3, 3]],
        ]]});
        let boundary = Boundary::parse(&with_hole).expect("valid");
        assert!(boundary.holds(at(1.0, 1.0)));
        assert!(!boundary.holds(at(4.5, 4.5)));
    }

    #[test]
    fn what_is_no_boundary_is_refused() {
        for bad in [
            json!({"type": "Point", "coordinates": [1, 2]}),
            json!({"type": "Polygon", "coordinates": []}),
            json!({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1]]]}),
            json!({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [5, 5]]]}),
            json!({"type": "Polygon", "coordinates": [[[0, 0], [999, 0], [1, 1], [0, 0]]]}),
            json!({"type": "Polygon", "coordinates": [[["a", 0], [9, 0], [1, 1], [0, 0]]]}),
            json!({"type": "Polygon", "coordinates": [[[1], [9, 0], [1, 1], [1]]]}),
            json!("nonsense"),
        ] {
            assert!(Boundary::parse(&bad).is_err(), "{bad}");
        }
    }
}
