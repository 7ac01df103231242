//! Reads a GeoJSON `FeatureCollection` (RFC 7946) feature by feature.

use std::io::BufRead;

use geo::Centroid as _;
use serde::Deserialize;
use serde_json::{Map, Value};
use struson::reader::{JsonReader, JsonStreamReader};

use super::json::{expect, position};
use crate::text_files::skip_byte_order_mark;

/// A feature with its position in the file.
#[derive(Debug)]
pub(crate) struct Feature {
    /// "line 1, column 52".
    pub(crate) position: String,
    /// Empty if the feature has no id.
    pub(crate) id: String,
    pub(crate) properties: Map<String, Value>,
    pub(crate) geometry: Value,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Shape {
    id: Value,
    properties: Option<Map<String, Value>>,
    geometry: Value,
}

/// Converts a value to text. Numbers are included, because ids can be strings or numbers; other types are empty.
fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

impl Feature {
    /// Parses a feature from a JSON value; missing parts are empty.
    pub(crate) fn of_value(position: &str, value: Value) -> Self {
        let shape: Shape = serde_json::from_value(value).unwrap_or_default();
        Self {
            position: position.to_owned(),
            id: text(Some(&shape.id)),
            properties: shape.properties.unwrap_or_default(),
            geometry: shape.geometry,
        }
    }

    /// Returns a property as text; empty if absent.
    pub(crate) fn text(&self, name: &str) -> String {
        text(self.properties.get(name))
    }

    /// Returns the geometry type, such as `Point`; empty if there is none.
    pub(crate) fn shape(&self) -> &str {
        let kind = self.geometry.get("type").and_then(Value::as_str);
        kind.unwrap_or_default()
    }

    /// Returns the geometry; `None` if there is no readable one.
    pub(crate) fn parsed_geometry(&self) -> Option<geo::Geometry> {
        // The library requires both numbers in each position.
        if !self
            .geometry
            .get("coordinates")
            .is_some_and(has_whole_positions)
        {
            return None;
        }
        let geometry = geojson::Geometry::deserialize(&self.geometry).ok()?;
        geo::Geometry::try_from(geometry).ok()
    }

    /// Returns the latitude and longitude of a point, or of the centre of a line or area; `None` if there is no
    /// readable geometry.
    pub(crate) fn centre(&self) -> Option<(f64, f64)> {
        let middle = self.parsed_geometry()?.centroid()?;
        Some((middle.y(), middle.x()))
    }
}

/// Whether all positions of a geometry have a longitude and a latitude.
fn has_whole_positions(coordinates: &Value) -> bool {
    let Some(parts) = coordinates.as_array() else {
        return false;
    };
    if parts.first().is_some_and(Value::is_number) {
        parts.len() >= 2
    } else {
        parts.iter().all(has_whole_positions)
    }
}

/// Passes every feature to `take` until it returns false. An error contains the position at which the file is broken.
pub(crate) fn each(
    mut file: impl BufRead,
    mut take: impl FnMut(Feature) -> bool,
) -> Result<(), String> {
    skip_byte_order_mark(&mut file)?;
    let mut reader = JsonStreamReader::new(file);
    let mut found = false;
    expect(reader.begin_object(), "an object")?;
    while expect(reader.has_next(), "an object")? {
        let is_features = expect(reader.next_name(), "a name")? == "features";
        if !is_features {
            expect(reader.skip_value(), "a value")?;
            continue;
        }
        found = true;
        expect(reader.begin_array(), "the list of features")?;
        while expect(reader.has_next(), "a feature")? {
            let position = position(&reader);
            let value: Value = reader
                .deserialize_next()
                .map_err(|error| format!("broken near {position}: {error}"))?;
            if !take(Feature::of_value(&position, value)) {
                return Ok(());
            }
        }
        expect(reader.end_array(), "the end of the features")?;
    }
    expect(reader.end_object(), "the end of the file")?;
    reader
        .consume_trailing_whitespace()
        .map_err(|error| format!("broken: {error}"))?;
    if found {
        Ok(())
    } else {
        Err("it has no list of features: expected a GeoJSON FeatureCollection".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn all(text: &'static str) -> Result<Vec<Feature>, String> {
        let mut features = Vec::new();
        each(text.as_bytes(), |feature| {
            features.push(feature);
            true
        })?;
        Ok(features)
    }

    #[test]
    fn each_feature_knows_where_it_stands() {
        let features = all(
            r#"{"type": "FeatureCollection", "crs": {"a": []}, "features": [
            {"type": "Feature", "properties": {"@id": 5, "name": " Pai "},
             "geometry": {"type": "Point", "coordinates": [-79.4, 43.6]}},
            {"type": "Feature", "properties": null, "geometry": null}]}"#,
        )
        .expect("valid");
        assert_eq!(features.len(), 2);
        assert_eq!(features[0].position, "line 2, column 13");
        assert_eq!(
            (features[0].text("@id"), features[0].text("name")),
            ("5".into(), "Pai".into())
        );
        assert_eq!(features[0].centre(), Some((43.6, -79.4)));
        assert_eq!(features[1].centre(), None);
    }

    #[test]
    fn an_area_is_where_its_middle_is() {
        let square = [[0, 40], [2, 40], [2, 42], [0, 42], [0, 40]];
        for (kind, coordinates) in [
            ("Polygon", json!([square])),
            ("MultiPolygon", json!([[square]])),
            ("LineString", json!([[0, 40], [2, 42]])),
        ] {
            let geometry = json!({"type": kind, "coordinates": coordinates});
            let feature = Feature::of_value("line 1", json!({"geometry": geometry}));
            assert_eq!(feature.centre(), Some((41.0, 1.0)), "{kind}");
        }
        for odd in [
            json!({"type": "Polygon", "coordinates": []}),
            json!({"type": "Point"}),
            json!({"type": "LineString", "coordinates": [[0, 40], [2]]}),
            json!(5),
        ] {
            let feature = Feature::of_value("line 1", json!({"geometry": odd}));
            assert_eq!(feature.centre(), None, "{odd}");
        }
    }

    #[test]
    fn a_broken_file_says_where() {
        let marked = all("\u{feff}{\"features\": [{}]}").expect("valid");
        assert_eq!(marked.len(), 1);
        for text in [
            "",
            "[]",
            "{}",
            r#"{"features": 5}"#,
            r#"{"features": [{]}"#,
            r#"{"features": [{"properties": {}}, {"prop"#,
            r#"{"features": []} trailing"#,
        ] {
            assert!(all(text).is_err(), "{text}");
        }
    }
}
