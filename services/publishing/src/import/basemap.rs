//! The map below the site's places: main streets, rails, parks and water from `OpenStreetMap`, simplified until it fits
//! into one small file.

use std::{
    collections::BTreeMap,
    io::{BufRead, Write as _},
};

use chassis::{
    call::{Call, Caller},
    rpc::Transport,
};
use cityguide_proto::intake::v1::{Finish, Report};
use geo::{
    BooleanOps as _, BoundingRect as _, Coord, CoordsIter as _, Geometry, LineString,
    MapCoords as _, MultiLineString, MultiPolygon, Polygon, Rect, Simplify as _, Validation as _,
};
use places_proto::v1::{
    Basemap, ImportBasemap, ImportRequest, import_request::Item, places_client::PlacesClient,
};
use serde_json::json;
use tokio::sync::mpsc;

use super::{
    features::{self, Feature},
    refused::Refused,
    sending::{Progress, TIMEOUT, streamed},
};

/// Maximum size of the compressed map in bytes: on a slow phone it loads in two seconds.
const MAX_COMPRESSED: usize = 400_000;
/// Maximum number of positions that are read, about 300 MB of memory.
const MAX_POSITIONS: usize = 8_000_000;
/// The finest tolerance of the simplification in degrees: about five metres.
const FINEST: f64 = 0.000_045;
/// The coarsest tolerance in degrees: about a hundred metres.
const COARSEST: f64 = 0.000_9;
/// How much coarser each attempt is than the one before.
const COARSER: f64 = 1.5;
/// Coordinates have this many units per degree, which is about a metre.
const UNITS: f64 = 100_000.0;
/// Water and parks are cut off at this share of the streets' width and height beyond the streets: a map may show more
/// than its places.
const MARGIN: f64 = 1.0;
/// Name of the map in reports.
const KIND: &str = "base map";

/// A kind of feature that the map shows, in the order of drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    Water,
    Park,
    Rail,
    Tram,
    Street,
    Motorway,
}

impl Ground {
    /// Returns the kind of a feature from its tags; `None` if the map does not show it.
    fn of(feature: &Feature) -> Option<Self> {
        let tag = |name: &str| feature.text(name);
        let is_covered = tag("tunnel") == "yes" || tag("layer").starts_with('-');
        match tag("highway").as_str() {
            "motorway" | "trunk" => return Some(Self::Motorway),
            "primary" | "secondary" | "tertiary" => return Some(Self::Street),
            _ => {}
        }
        match tag("railway").as_str() {
            "tram" | "light_rail" => return Some(Self::Tram),
            "rail" if !is_covered && tag("service").is_empty() => return Some(Self::Rail),
            _ => {}
        }
        if tag("natural") == "water" || tag("waterway") == "riverbank" {
            return Some(Self::Water);
        }
        let is_park = matches!(
            (tag("leisure").as_str(), tag("landuse").as_str()),
            ("park" | "nature_reserve" | "golf_course", _) | (_, "cemetery" | "forest")
        );
        is_park.then_some(Self::Park)
    }

    fn is_area(self) -> bool {
        matches!(self, Self::Water | Self::Park)
    }

    fn has_name(self) -> bool {
        matches!(self, Self::Street | Self::Motorway)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Water => "water",
            Self::Park => "park",
            Self::Rail => "rail",
            Self::Tram => "tram",
            Self::Street => "street",
            Self::Motorway => "motorway",
        }
    }
}

/// Everything that the map shows, by kind and name.
#[derive(Debug, Default)]
struct Drawing {
    lines: BTreeMap<(Ground, String), Vec<LineString>>,
    areas: BTreeMap<Ground, Vec<Polygon>>,
    positions: usize,
}

/// Imports a GeoJSON file with `OpenStreetMap`'s tags as the map below the site's places.
pub async fn basemap(
    places: Transport,
    credit: String,
    file: impl BufRead + Send + 'static,
    finish: Finish,
) -> Result<Report, String> {
    let mut client = PlacesClient::new(places);
    let call = Call::new(Caller::Operator, TIMEOUT);
    let read = move |sender: &mpsc::Sender<ImportRequest>| {
        let mut refused = Refused::default();
        let basemap = drawn(file, credit, &mut refused)?;
        let sent = [Item::Basemap(basemap), Item::Finish(refused.before(finish))];
        for item in sent {
            // The service's answer says why it no longer reads.
            let _ = sender.blocking_send(ImportRequest { item: Some(item) });
        }
        Ok(refused)
    };
    let (refused, report) = streamed(read, async |items| {
        let answer = client.import(call.request(items)).await;
        answer.map(tonic::Response::into_inner)
    })
    .await?;
    Ok(refused.added_to(report, KIND))
}

/// Reads a file and draws the map. Features without a readable geometry are refused.
pub(crate) fn drawn(
    file: impl BufRead,
    credit: String,
    refused: &mut Refused,
) -> Result<ImportBasemap, String> {
    let mut drawing = Drawing::default();
    let mut progress = Progress::default();
    let mut mistake = None;
    features::each(file, |feature| {
        progress.count();
        let Some(kind) = Ground::of(&feature) else {
            return true;
        };
        match feature.parsed_geometry() {
            Some(geometry) if is_in_world(&geometry) => {
                drawing.add(kind, feature.text("name"), geometry);
            }
            Some(_) => refused.add(feature.position, "a position is not on Earth".to_owned()),
            None => refused.add(feature.position, "it has no readable geometry".to_owned()),
        }
        if drawing.positions > MAX_POSITIONS {
            mistake = Some(format!(
                "it has more than {MAX_POSITIONS} positions: cut out the city"
            ));
        }
        mistake.is_none()
    })?;
    if let Some(mistake) = mistake {
        return Err(mistake);
    }
    if drawing.lines.is_empty() && drawing.areas.is_empty() {
        return Err("it has no main streets, rails, parks or water of OpenStreetMap".to_owned());
    }
    drawing.cut_areas();
    let geojson = drawing.fitting(MAX_COMPRESSED)?;
    Ok(ImportBasemap {
        position: String::new(),
        basemap: Some(Basemap { geojson, credit }),
    })
}

impl Drawing {
    /// Adds a feature's lines or areas; a point adds nothing.
    fn add(&mut self, kind: Ground, name: String, geometry: Geometry) {
        let (mut lines, mut areas) = (Vec::new(), Vec::new());
        match geometry {
            Geometry::LineString(line) => lines.push(line),
            Geometry::MultiLineString(all) => lines.extend(all),
            Geometry::Polygon(area) => areas.push(area),
            Geometry::MultiPolygon(all) => areas.extend(all),
            _ => {}
        }
        if kind.is_area() {
            let rings = areas.iter().flat_map(|area| {
                let holes = area.interiors().iter();
                holes.chain([area.exterior()])
            });
            self.positions += rings.map(|ring| ring.0.len()).sum::<usize>();
            self.areas.entry(kind).or_default().extend(areas);
        } else if !lines.is_empty() {
            self.positions += lines.iter().map(|line| line.0.len()).sum::<usize>();
            let name = if kind.has_name() { name } else { String::new() };
            self.lines.entry((kind, name)).or_default().extend(lines);
        }
    }

    /// Cuts off water and parks around the streets: a lake may be larger than the city.
    fn cut_areas(&mut self) {
        let lines = self.lines.values().flatten().cloned().collect();
        let Some(frame) = MultiLineString::new(lines).bounding_rect() else {
            return;
        };
        let (width, height) = (frame.width() * MARGIN, frame.height() * MARGIN);
        let (low, high) = (frame.min(), frame.max());
        let frame = Rect::new(
            (low.x - width, low.y - height),
            (high.x + width, high.y + height),
        )
        .to_polygon();
        for areas in self.areas.values_mut() {
            let cut = areas.iter().flat_map(|area| area.intersection(&frame));
            *areas = cut.collect();
        }
    }

    /// Returns the map as GeoJSON, simplified no more than necessary to have at most `max` bytes when compressed.
    fn fitting(&self, max: usize) -> Result<String, String> {
        let mut tolerance = FINEST;
        loop {
            let text = self.simplified(tolerance).to_string();
            let bytes = compressed(&text).map_err(|error| error.to_string())?;
            if bytes <= max {
                return Ok(text);
            }
            tolerance *= COARSER;
            if tolerance > COARSEST {
                return Err(format!(
                    "the map has {bytes} bytes when compressed and simplified, more than {max}: cut out a \
                     smaller area, or leave out tertiary streets"
                ));
            }
        }
    }

    fn simplified(&self, tolerance: f64) -> serde_json::Value {
        let feature = |kind: Ground, name: &str, geometry: geojson::GeometryValue| {
            json!({
                "type": "Feature",
                "properties": {"kind": kind.name(), "name": name},
                "geometry": geojson::Geometry::new(geometry),
            })
        };
        let mut features = Vec::new();
        for (kind, areas) in &self.areas {
            let areas: Vec<_> = areas
                .iter()
                .map(|area| area.simplify(tolerance).map_coords(rounded))
                // Areas that are thinner than the tolerance have collapsed.
                .filter(|area| area.exterior().0.len() > 3 && area.is_valid())
                .collect();
            if !areas.is_empty() {
                features.push(feature(*kind, "", (&MultiPolygon::new(areas)).into()));
            }
        }
        for ((kind, name), lines) in &self.lines {
            let lines: Vec<_> = lines
                .iter()
                .map(|line| line.simplify(tolerance).map_coords(rounded))
                .collect();
            features.push(feature(*kind, name, (&MultiLineString::new(lines)).into()));
        }
        json!({"type": "FeatureCollection", "features": features})
    }
}

fn is_in_world(geometry: &Geometry) -> bool {
    let mut positions = geometry.coords_iter();
    positions.all(|at| at.x.abs() <= 180.0 && at.y.abs() <= 90.0)
}

fn rounded(at: Coord) -> Coord {
    let round = |degrees: f64| (degrees * UNITS).round() / UNITS;
    Coord {
        x: round(at.x),
        y: round(at.y),
    }
}

/// Returns the size of a text compressed as gateways serve it.
fn compressed(text: &str) -> std::io::Result<usize> {
    let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4_096, 5, 22);
    encoder.write_all(text.as_bytes())?;
    Ok(encoder.into_inner().len())
}

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
    use serde_json::Value;

    use super::*;

    fn feature(tags: &Value, kind: &str, coordinates: &Value) -> Value {
        json!({"type": "Feature", "properties": tags, "geometry": {"type": kind, "coordinates": coordinates}})
    }

    fn square(west: f64, south: f64, side: f64) -> Value {
        let (east, north) = (west + side, south + side);
        json!([[
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south]
        ]])
    }

    fn draw(features: &[Value]) -> (Result<Value, String>, Refused) {
        let mut refused = Refused::default();
        let file = json!({"type": "FeatureCollection", "features": features}).to_string();
        let drawn = drawn(file.as_bytes(), String::new(), &mut refused);
        let map = drawn.map(|import| {
            let map = import.basemap.expect("a map").geojson;
            serde_json::from_str(&map).expect("JSON")
        });
        (map, refused)
    }

    fn kinds(map: &Value) -> Vec<(&str, &str)> {
        fn text(value: &Value) -> &str {
            value.as_str().expect("text")
        }
        let features = map["features"].as_array().expect("features").iter();
        features
            .map(|of| {
                let of = &of["properties"];
                (text(&of["kind"]), text(&of["name"]))
            })
            .collect()
    }

    #[test]
    fn main_streets_rails_parks_and_water_are_drawn_and_nothing_else() {
        let line = json!([[-79.40, 43.64], [-79.38, 43.65]]);
        let (map, refused) = draw(&[
            feature(
                &json!({"highway": "primary", "name": "Queen Street"}),
                "LineString",
                &line,
            ),
            feature(
                &json!({"highway": "secondary", "name": "Queen Street"}),
                "LineString",
                &line,
            ),
            feature(
                &json!({"highway": "trunk", "name": "Gardiner"}),
                "LineString",
                &line,
            ),
            feature(&json!({"highway": "residential"}), "LineString", &line),
            feature(
                &json!({"railway": "tram", "name": "501"}),
                "LineString",
                &line,
            ),
            feature(
                &json!({"railway": "rail", "service": "siding"}),
                "LineString",
                &line,
            ),
            feature(&json!({"railway": "rail"}), "LineString", &line),
            feature(
                &json!({"leisure": "park", "name": "A park"}),
                "Polygon",
                &square(-79.4, 43.64, 0.01),
            ),
            feature(
                &json!({"natural": "water"}),
                "Polygon",
                &square(-79.39, 43.64, 0.01),
            ),
            feature(
                &json!({"natural": "water"}),
                "Point",
                &json!([-79.4, 43.64]),
            ),
            feature(&json!({"amenity": "cafe"}), "Point", &json!([-79.4, 43.64])),
            feature(
                &json!({"highway": "primary"}),
                "LineString",
                &json!([[-79.4, 43.6], [-79.4, 943.6]]),
            ),
            feature(
                &json!({"highway": "primary"}),
                "LineString",
                &json!([[-79.4], [1]]),
            ),
        ]);
        let map = map.expect("a map");
        assert_eq!(
            kinds(&map),
            [
                ("water", ""),
                ("park", ""),
                ("rail", ""),
                ("tram", ""),
                ("street", "Queen Street"),
                ("motorway", "Gardiner"),
            ]
        );
        let streets = &map["features"][4]["geometry"];
        assert_eq!(streets["type"], "MultiLineString");
        assert_eq!(streets["coordinates"], json!([line, line]));
        assert_eq!(refused.listed(), 2);
        let reasons: Vec<_> = refused.into_lines().collect();
        assert!(reasons[0].ends_with("not on Earth"), "{reasons:?}");
        assert!(reasons[1].ends_with("no readable geometry"), "{reasons:?}");
    }

    #[test]
    fn a_lake_that_is_larger_than_the_city_is_cut_off_around_the_streets() {
        let (map, _) = draw(&[
            feature(
                &json!({"highway": "primary"}),
                "LineString",
                &json!([[0.0, 0.0], [4.0, 4.0]]),
            ),
            feature(
                &json!({"natural": "water"}),
                "Polygon",
                &square(-50.0, -50.0, 50.0),
            ),
        ]);
        let map = map.expect("a map");
        let mut ring: Vec<Value> = map["features"][0]["geometry"]["coordinates"][0][0]
            .as_array()
            .expect("a ring")
            .clone();
        ring.sort_by_key(Value::to_string);
        ring.dedup();
        assert_eq!(
            json!(ring),
            json!([[-4.0, -4.0], [-4.0, 0.0], [0.0, -4.0], [0.0, 0.0]])
        );
    }

    #[test]
    fn a_dense_map_is_simplified_until_it_fits_and_a_map_that_never_fits_is_refused() {
        const MAX: usize = 1_000;
        let mut drawing = Drawing::default();
        let mut random = StdRng::seed_from_u64(7);
        for number in 0..20 {
            let south = 43.0 + f64::from(number) * 0.001;
            // Corners of up to eleven metres, which a coarser tolerance removes.
            let corner = |at| {
                (
                    -80.0 + f64::from(at) * 0.000_2,
                    south + random.random_range(0.0..0.000_1),
                )
            };
            let street: LineString = (0..100).map(corner).collect();
            drawing.add(Ground::Street, String::new(), street.into());
        }
        let fine = drawing.simplified(FINEST).to_string();
        assert!(compressed(&fine).expect("compresses") > MAX);
        let fitting = drawing.fitting(MAX).expect("fits");
        assert!(compressed(&fitting).expect("compresses") <= MAX);

        for _ in 0..200 {
            let street: [[f64; 2]; 2] = random.random();
            let street: LineString = street.map(Coord::from).into_iter().collect();
            drawing.add(Ground::Street, String::new(), street.into());
        }
        let refusal = drawing.fitting(MAX).expect_err("too large");
        assert!(refusal.contains("cut out a smaller area"), "{refusal}");
    }

    #[test]
    fn a_file_without_any_of_them_is_refused() {
        let cafe = feature(&json!({"amenity": "cafe"}), "Point", &json!([-79.4, 43.64]));
        let refusal = draw(&[cafe]).0.expect_err("nothing to draw");
        assert!(refusal.contains("no main streets"), "{refusal}");
    }
}
