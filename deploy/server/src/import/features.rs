//! A GeoJSON `FeatureCollection` (RFC 7946), feature by feature.

use std::io::Read;

use serde::Deserialize;
use serde_json::{Map, Value};
use struson::reader::{JsonReader, JsonStreamReader};

/// One feature, and its position in its file.
#[derive(Debug)]
pub(crate) struct Feature {
    /// "line 1, column 52".
    pub(crate) position: String,
    pub(crate) properties: Map<String, Value>,
    pub(crate) geometry: Value,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Shape {
    properties: Option<Map<String, Value>>,
    geometry: Value,
}

impl Feature {
    /// A property as text; numbers are converted, since ids come as both. An absent one is empty.
    pub(crate) fn text(&self, name: &str) -> String {
        match self.properties.get(name) {
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        }
    }

    /// Latitude and longitude of a point; `None` if the geometry is not a point.
    pub(crate) fn point(&self) -> Option<(f64, f64)> {
        let is_point = self.geometry.get("type").and_then(Value::as_str) == Some("Point");
        let coordinates = self.geometry.get("coordinates").filter(|_| is_point)?;
        let number = |at: usize| coordinates.get(at).and_then(Value::as_f64);
        Some((number(1)?, number(0)?))
    }
}

/// Passes every feature to `take` until that returns false. An error says where the file is broken.
pub(crate) fn each(file: impl Read, mut take: impl FnMut(Feature) -> bool) -> Result<(), String> {
    let mut reader = JsonStreamReader::new(file);
    let mut found = false;
    begin(reader.begin_object(), "an object")?;
    while begin(reader.has_next(), "an object")? {
        let is_features = begin(reader.next_name(), "a name")? == "features";
        if !is_features {
            begin(reader.skip_value(), "a value")?;
            continue;
        }
        found = true;
        begin(reader.begin_array(), "the list of features")?;
        while begin(reader.has_next(), "a feature")? {
            let position = position(&reader);
            let value: Value = reader
                .deserialize_next()
                .map_err(|error| format!("broken near {position}: {error}"))?;
            let shape: Shape = serde_json::from_value(value).unwrap_or_default();
            let Shape {
                properties,
                geometry,
            } = shape;
            let properties = properties.unwrap_or_default();
            if !take(Feature {
                position,
                properties,
                geometry,
            }) {
                return Ok(());
            }
        }
        begin(reader.end_array(), "the end of the features")?;
    }
    begin(reader.end_object(), "the end of the file")?;
    reader
        .consume_trailing_whitespace()
        .map_err(|error| format!("broken: {error}"))?;
    if found {
        Ok(())
    } else {
        Err("it has no list of features: expected a GeoJSON FeatureCollection".to_owned())
    }
}

fn begin<T>(outcome: Result<T, struson::reader::ReaderError>, expected: &str) -> Result<T, String> {
    outcome.map_err(|error| format!("broken, expected {expected}: {error}"))
}

fn position(reader: &impl JsonReader) -> String {
    let position = reader.current_position(false);
    position.line_pos.map_or_else(
        || position.to_string(),
        |at| format!("line {}, column {}", at.line + 1, at.column + 1),
    )
}

#[cfg(test)]
mod tests {
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
        assert_eq!(features[0].point(), Some((43.6, -79.4)));
        assert_eq!(features[1].point(), None);
    }

    #[test]
    fn a_broken_file_says_where() {
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
