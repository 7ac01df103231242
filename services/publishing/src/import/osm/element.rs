//! The OpenStreetMap element of a feature. Each exporter identifies it differently.

use super::super::Feature;

/// Kinds of elements, as in ids.
const KINDS: [&str; 3] = ["node", "way", "relation"];

/// Returns the element, such as `node/123`; `None` if it is not identified.
///
/// | exporter | where |
/// |---|---|
/// | Overpass turbo, osmtogeojson | `@id` or the feature's `id`: `node/123`; or `type` and `id` among the properties |
/// | osmium | the feature's `id`: `n123`, `w123`, and `a246` for areas; or `@type` and `@id` |
/// | ogr2ogr | `osm_id` of a node if the geometry is a point, otherwise of a relation; `osm_way_id` |
/// | HOT's export tool | `osm_id` and `osm_type`: `nodes`, `ways_poly` |
pub(super) fn element(feature: &Feature) -> Option<String> {
    let kind = ["@type", "osm_type", "type"]
        .into_iter()
        .find_map(|name| kind_of(&feature.text(name)));
    let named = ["@id", "id"].map(|name| feature.text(name));
    for name in named.iter().chain([&feature.id]) {
        if let Some(element) = whole(name).or_else(|| short(name)) {
            return Some(element);
        }
        if let Some(number) = number(name) {
            return Some(format!("{}/{number}", kind.unwrap_or("node")));
        }
    }
    if let Some(number) = number(&feature.text("osm_way_id")) {
        return Some(format!("way/{number}"));
    }
    let name = feature.text("osm_id");
    let by_shape = match feature.shape() {
        "Point" => "node",
        "LineString" => "way",
        _ => "relation",
    };
    let number = number(&name).map(|number| format!("{}/{number}", kind.unwrap_or(by_shape)));
    number.or_else(|| whole(&name)).or_else(|| short(&name))
}

/// Parses `node/123`, possibly at the end of a link.
fn whole(name: &str) -> Option<String> {
    let (rest, digits) = name.rsplit_once('/')?;
    let kind = rest.rsplit('/').next().and_then(kind_of)?;
    Some(format!("{kind}/{}", number(digits)?))
}

/// Parses `n123`. An area has twice the id of its way, or twice the id of its relation plus one.
fn short(name: &str) -> Option<String> {
    let digits = name.get(1..).and_then(number)?;
    let (kind, id) = match name.as_bytes().first()? {
        b'n' | b'N' => ("node", digits),
        b'w' | b'W' => ("way", digits),
        b'r' | b'R' => ("relation", digits),
        b'a' if digits.is_multiple_of(2) => ("way", digits / 2),
        b'a' => ("relation", digits / 2),
        _ => return None,
    };
    Some(format!("{kind}/{id}"))
}

fn kind_of(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let is_same = |kind: &&&str| match word.as_str() {
        "n" | "w" | "r" => kind.starts_with(&word),
        _ => word.starts_with(**kind),
    };
    KINDS.iter().find(is_same).copied()
}

/// Parses a number and ignores its sign; ogr2ogr writes the id of a way as a negative relation id.
fn number(digits: &str) -> Option<u64> {
    digits.trim_start_matches('-').parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn of(feature: &Value) -> Option<String> {
        element(&Feature::of_value("line 1", feature.clone()))
    }

    #[test]
    fn every_exporters_way_to_name_an_element_is_understood() {
        let point = json!({"type": "Point", "coordinates": [-79.4, 43.6]});
        let area = json!({"type": "MultiPolygon", "coordinates": []});
        let line = json!({"type": "LineString", "coordinates": []});
        for (feature, expected) in [
            (json!({"properties": {"@id": "node/5"}}), "node/5"),
            (
                json!({"properties": {"@id": "https://www.openstreetmap.org/way/5"}}),
                "way/5",
            ),
            (json!({"id": "relation/5", "properties": {}}), "relation/5"),
            (json!({"id": "n5"}), "node/5"),
            (json!({"id": "w5"}), "way/5"),
            (json!({"id": "a10"}), "way/5"),
            (json!({"id": "a11"}), "relation/5"),
            (json!({"properties": {"@type": "way", "@id": 5}}), "way/5"),
            (json!({"properties": {"type": "way", "id": 5}}), "way/5"),
            (
                json!({"properties": {"osm_type": "ways_poly", "osm_id": 5}}),
                "way/5",
            ),
            (
                json!({"properties": {"osm_type": "N", "osm_id": "5"}}),
                "node/5",
            ),
            (
                json!({"properties": {"osm_id": "5"}, "geometry": point}),
                "node/5",
            ),
            (
                json!({"properties": {"osm_id": "5"}, "geometry": line}),
                "way/5",
            ),
            (
                json!({"properties": {"osm_id": "5"}, "geometry": area}),
                "relation/5",
            ),
            (
                json!({"properties": {"osm_way_id": "5", "osm_id": null}, "geometry": area}),
                "way/5",
            ),
            (
                json!({"properties": {"@id": 5}, "geometry": point}),
                "node/5",
            ),
        ] {
            assert_eq!(of(&feature).as_deref(), Some(expected), "{feature}");
        }
    }

    #[test]
    fn what_names_no_element_is_none() {
        for feature in [
            json!({}),
            json!({"id": "", "properties": {"@id": "place"}}),
            json!({"id": "x5", "properties": {"osm_id": "five"}}),
            json!({"properties": {"@id": "street/5"}}),
        ] {
            assert_eq!(of(&feature), None, "{feature}");
        }
    }
}
