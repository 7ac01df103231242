//! `cityguide import`: streaming, idempotent, and with exact reports of refused items.

use std::{fs, path::Path};

use cityguide::Settings;
use serde_json::{Value, json};

use crate::commands;

/// The columns and rows of a grid whose squares are the neighbourhoods.
const COLUMNS: usize = 12;
const ROWS: usize = 13;
const PLACES: usize = 3000;

pub(crate) fn areas() -> Value {
    let features = (0..COLUMNS * ROWS).map(|number| {
        let west = -80.0 + 0.1 * f64::from(u32::try_from(number % COLUMNS).expect("small"));
        let south = 43.0 + 0.1 * f64::from(u32::try_from(number / COLUMNS).expect("small"));
        let (east, north) = (west + 0.1, south + 0.1);
        json!({"type": "Feature", "properties": {"AREA_ID": number, "AREA_NAME": format!("Area {number}")},
            "geometry": {"type": "MultiPolygon", "coordinates":
                [[[[west, south], [east, south], [east, north], [west, north], [west, south]]]]}})
    });
    json!({"type": "FeatureCollection", "features": features.collect::<Vec<_>>()})
}

pub(crate) fn places() -> Vec<Value> {
    let amenities = [
        "restaurant",
        "cafe",
        "bar",
        "pub",
        "fast_food",
        "ice_cream",
        "food_court",
    ];
    let place = |number: usize| {
        let number_f = f64::from(u32::try_from(number).expect("small"));
        let (longitude, latitude) = (
            -80.0 + 1.2 * (number_f + 0.5) / 3000.0,
            43.05 + (number_f * 0.37) % 1.2,
        );
        // Chains have many places with the same name.
        json!({"type": "Feature",
            "properties": {"@id": format!("node/{number}"), "name": format!("Café № {}", number % 700),
                "amenity": amenities[number % amenities.len()], "cuisine": "bubble_tea;tea"},
            "geometry": {"type": "Point", "coordinates": [longitude, latitude]}})
    };
    (0..PLACES).map(place).collect()
}

pub(crate) fn collection(features: &[Value]) -> String {
    json!({"type": "FeatureCollection", "features": features}).to_string()
}

async fn import(settings: &Settings, what: &str, file: &Path) -> (bool, String) {
    import_with(settings, what, file, &[]).await
}

pub(crate) async fn import_with(
    settings: &Settings,
    what: &str,
    file: &Path,
    options: &[&str],
) -> (bool, String) {
    let file = file.to_str().expect("UTF-8");
    let arguments = [&["import", what, file], options].concat();
    commands::said(settings, &arguments).await
}

#[tokio::test]
async fn a_city_imports_twice_with_the_same_result_and_every_place_has_its_neighbourhood() {
    let (settings, database, folder) = commands::migrated().await;
    let (area_file, place_file) = (
        folder.path().join("areas.json"),
        folder.path().join("places.json"),
    );
    fs::write(&area_file, areas().to_string()).expect("writes");
    fs::write(&place_file, collection(&places())).expect("writes");

    // Places first: neighbourhoods that are imported later include them.
    let (ok, said) = import(&settings, "places", &place_file).await;
    assert!(
        ok && said.contains("places: 3000 read, 3000 created, 0 changed, 0 unchanged, 0 refused"),
        "{said}"
    );
    assert!(said.contains("2500 read"), "progress is shown: {said}");
    let (ok, said) = import(&settings, "neighbourhoods", &area_file).await;
    assert!(
        ok && said.contains("neighbourhoods: 156 read, 156 created"),
        "{said}"
    );
    let lost = "SELECT count(*) FROM places.listings WHERE neighbourhood_id IS NULL";
    assert_eq!(database.number(lost).await, 0);

    let (ok, said) = import(&settings, "neighbourhoods", &area_file).await;
    assert!(
        ok && said.contains("156 read, 0 created, 0 changed, 156 unchanged, 0 refused"),
        "{said}"
    );
    let (ok, said) = import(&settings, "places", &place_file).await;
    assert!(
        ok && said.contains("3000 read, 0 created, 0 changed, 3000 unchanged, 0 refused"),
        "{said}"
    );
    let kept = "SELECT count FROM places.listing_counts WHERE type_id = 0 AND neighbourhood_id = 0";
    assert_eq!(database.number(kept).await, 3000);
    let paths = "SELECT count(DISTINCT (type_id, slug)) FROM places.listings";
    assert_eq!(database.number(paths).await, 3000);
}

#[tokio::test]
async fn each_refusal_has_its_line_and_reason_and_the_rest_is_taken() {
    let (settings, database, folder) = commands::migrated().await;
    let good = places();
    let mut nameless = good[1].clone();
    nameless["properties"]["name"] = json!("  ");
    let mut elsewhere = good[2].clone();
    elsewhere["geometry"]["coordinates"] = json!([-79.4, 943.6]);
    let mut odd = good[3].clone();
    odd["properties"]["amenity"] = json!("spaceport");
    let features = [
        &good[0],
        &nameless,
        &elsewhere,
        &odd,
        &good[0],
        &json!({"x": 1}),
        &good[4],
    ];
    let lines: Vec<_> = features.iter().map(ToString::to_string).collect();
    let file = folder.path().join("places.json");
    fs::write(
        &file,
        format!("{{\"features\": [\n{}\n]}}\n", lines.join(",\n")),
    )
    .expect("writes");
    let count = "SELECT count(*) FROM places.listings";
    // More than four items are refused, so nothing is imported.
    let options = ["--refuse-at-most", "4"];
    let (ok, said) = import_with(&settings, "places", &file, &options).await;
    assert!(
        !ok && said.contains("5 refused, more than the 4 of --refuse-at-most"),
        "{said}"
    );
    assert_eq!(database.number(count).await, 0);
    let listed = folder.path().join("refused.jsonl");
    let listed_at = listed.to_str().expect("UTF-8");
    let options = ["--refuse-at-most", "5", "--refused", listed_at];
    let dry_run = [&options[..], &["--dry-run"]].concat();
    let (ok, said) = import_with(&settings, "places", &file, &dry_run).await;
    assert!(
        ok && said.contains("+ osm:node/0 at line 2, column 1"),
        "{said}"
    );
    assert_eq!(database.number(count).await, 0);
    let (ok, said) = import_with(&settings, "places", &file, &options).await;
    assert!(
        ok && said.contains("places: 7 read, 2 created, 0 changed, 0 unchanged, 5 refused"),
        "{said}"
    );
    let listed = fs::read_to_string(listed).expect("a file");
    let listed: Vec<Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(listed.len(), 5);
    assert_eq!(
        listed[0],
        json!({"position": "line 3, column 1", "source_id": "osm:node/1", "reason": "the name is missing"})
    );
    for expected in [
        "osm:node/1 at line 3, column 1: the name is missing",
        "osm:node/2 at line 4, column 1: 943.6",
        "osm:node/3 at line 5, column 1: there is no type \"spaceport\"",
        "osm:node/0 at line 6, column 1: the same source id",
        "at line 7, column 1: the source id is missing",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert_eq!(
        database
            .number("SELECT count(*) FROM places.listings")
            .await,
        2
    );
}

#[tokio::test]
async fn a_broken_file_is_one_line_and_changes_nothing() {
    let (settings, database, folder) = commands::migrated().await;
    let whole = collection(&places());
    let file = folder.path().join("places.json");
    for broken in [&whole[..whole.len() / 2], "", "nonsense", "{}", "[1, 2]"] {
        fs::write(&file, broken).expect("writes");
        let (ok, said) = import(&settings, "places", &file).await;
        let lines: Vec<_> = said
            .lines()
            .filter(|line| line.starts_with("cityguide: "))
            .collect();
        assert!(!ok && lines.len() == 1, "{said}");
        assert!(
            lines[0].contains("places.json") && lines[0].contains("nothing was imported"),
            "{said}"
        );
        assert_eq!(
            database
                .number("SELECT count(*) FROM places.listings")
                .await,
            0
        );
    }
    let (ok, said) = import(&settings, "places", &folder.path().join("missing.json")).await;
    assert!(
        !ok && said.contains("missing.json cannot be read"),
        "{said}"
    );
}

/// Events as a city's calendar writes them: all-day events from their first to their last minute in UTC, entities,
/// tags, a duplicate, and an object that is not an event.
pub(crate) fn calendar() -> Vec<Value> {
    let event = |name: &str, starts: &str, ends: &str| {
        json!({"@context": "https://schema.org", "@type": "Event", "name": name, "startDate": starts, "endDate": ends,
            "url": "https://city.example/jazz", "description": "Come <b>early</b> &amp; often.",
            "keywords": ["Live Performances"], "isAccessibleForFree": true,
            "location": {"@type": "Place", "name": "The Hall", "address": {"streetAddress": "814 Bloor St W"}}})
    };
    let night = event(
        "Jazz &amp; Blues",
        "2026-01-09T23:00:00.000Z",
        "2026-01-10T01:30:00.000Z",
    );
    vec![
        night.clone(),
        event(
            "Jazz &amp; Blues",
            "2026-01-10T23:00:00.000Z",
            "2026-01-11T01:30:00.000Z",
        ),
        event(
            "Winter fair",
            "2026-01-09T05:00:00.000Z",
            "2026-01-12T04:59:00.000Z",
        ),
        night,
        json!({"@type": "Organization", "name": "The city"}),
        event("Some day", "soon", ""),
        event(
            "Backwards",
            "2026-01-09T23:00:00.000Z",
            "2026-01-08T23:00:00.000Z",
        ),
    ]
}

#[tokio::test]
async fn a_file_without_anything_that_can_be_read_fails_and_a_byte_order_mark_does_no_harm() {
    let (settings, database, folder) = commands::migrated().await;
    let file = folder.path().join("file");
    let broken = json!([{"@type": "Organization"}]).to_string();
    for (what, content) in [
        ("places", "{\"features\": []}"),
        ("events", "[]"),
        ("events", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),
        ("events", &broken),
    ] {
        fs::write(&file, content).expect("writes");
        let options = ["--refuse-at-most", "9"];
        let (ok, said) = import_with(&settings, what, &file, &options).await;
        assert!(
            !ok && said.contains("nothing in it could be read"),
            "{said}"
        );
    }
    let events = json!(calendar()[..1]).to_string();
    for (what, content) in [("events", events), ("places", collection(&places()[..1]))] {
        fs::write(&file, format!("\u{feff}{content}")).expect("writes");
        let (ok, said) = import(&settings, what, &file).await;
        assert!(ok && said.contains("1 read, 1 created"), "{said}");
    }
    let count = "SELECT count(*) FROM editorial.items WHERE kind = 'event'";
    assert_eq!(database.number(count).await, 1);
}

#[tokio::test]
async fn events_are_told_by_the_citys_clock_and_come_once_however_often_they_are_imported() {
    let (settings, database, folder) = commands::migrated().await;
    let file = folder.path().join("events.jsonld");
    let graph = json!({"@context": "https://schema.org", "@graph": calendar()});
    fs::write(&file, graph.to_string()).expect("writes");
    let count = "SELECT count(*) FROM editorial.items WHERE kind = 'event'";
    let (ok, said) = import_with(&settings, "events", &file, &["--refuse-at-most", "2"]).await;
    assert!(!ok && said.contains("3 refused, more than the 2"), "{said}");
    assert_eq!(database.number(count).await, 0);
    let options = ["--refuse-at-most", "3"];
    let (ok, said) = import_with(&settings, "events", &file, &options).await;
    assert!(
        ok && said.contains("events: 7 read, 4 created, 0 changed, 0 unchanged, 3 refused"),
        "{said}"
    );
    for expected in [
        "it is no event, but \"Organization\"",
        "its startDate \"soon\" is no date",
        "the same source id came before in this input",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    let (ok, said) = import_with(&settings, "events", &file, &options).await;
    assert!(
        ok && said.contains("0 created, 0 changed, 4 unchanged, 3 refused"),
        "{said}"
    );
    let nights = "SELECT count(*) FROM editorial.items WHERE name = 'Jazz & Blues' AND category = 'live-performances'
        AND is_free AND body_html = '<p>Come <strong>early</strong> &amp; often.</p>\n'
        AND detail::text LIKE '%2026-01-09T18:00:00%' AND detail::text LIKE '%The Hall%'";
    assert_eq!(database.number(nights).await, 1);
    let days = "SELECT count(*) FROM editorial.items WHERE name = 'Winter fair'
        AND detail::text LIKE '%2026-01-09T00:00:00%' AND detail::text LIKE '%2026-01-12T00:00:00%'";
    assert_eq!(database.number(days).await, 1);

    // The city adds details to one event; the others stay unchanged.
    let mut changed = calendar();
    changed[0]["description"] = json!("Bring a coat.");
    fs::write(&file, json!(changed).to_string()).expect("writes");
    let dry_run = [&options[..], &["--dry-run"]].concat();
    let (ok, said) = import_with(&settings, "events", &file, &dry_run).await;
    assert!(ok && said.contains(": excerpt, text"), "{said}");
    let (ok, said) = import_with(&settings, "events", &file, &options).await;
    assert!(
        ok && said.contains("0 created, 1 changed, 3 unchanged, 3 refused"),
        "{said}"
    );
    for broken in ["[{\"@type\": \"Event\"}", "", "5", "{\"@graph\": {}}"] {
        fs::write(&file, broken).expect("writes");
        let (ok, said) = import_with(&settings, "events", &file, &options).await;
        assert!(!ok && said.contains("nothing was imported"), "{said}");
    }
    assert_eq!(database.number(count).await, 4);
}

#[tokio::test]
async fn a_table_of_places_and_other_neighbourhoods_are_read_by_a_mapping() {
    let (settings, database, folder) = commands::migrated().await;
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("writes");
        path
    };
    let quarters = json!({"type": "FeatureCollection", "features": [{"type": "Feature",
        "properties": {"insee": 11, "nom": "Vieux-Port"}, "geometry": {"type": "Polygon",
            "coordinates": [[[-74, 45], [-73, 45], [-73, 46], [-74, 46], [-74, 45]]]}}]});
    let quarters = write("quarters.json", &quarters.to_string());
    let mapping = write(
        "quarters.toml",
        "source = \"insee\"\nid = \"insee\"\nname = \"nom\"\n",
    );
    let mapped = ["--mapping", mapping.to_str().expect("UTF-8")];
    let (ok, said) = import_with(&settings, "neighbourhoods", &quarters, &mapped).await;
    assert!(ok && said.contains("1 created"), "{said}");

    // Another import creates the types.
    let types = write("places.json", &collection(&places()[..1]));
    let (ok, said) = import(&settings, "places", &types).await;
    assert!(ok, "{said}");
    let table = write(
        "list.csv",
        "N°;Nom;Genre;Lat;Long\n1;Chez Nous;Café;45,5;-73,5\n2;Chez Eux;Dépanneur;45,6;-73,6\n",
    );
    let mapping = write(
        "list.toml",
        "source = \"sdc\"\nseparator = \";\"\n[columns]\nid = \"N°\"\nname = \"Nom\"\ntype = \"Genre\"\nlatitude = \"Lat\"\n\
         longitude = \"Long\"\n[types]\n\"café\" = \"cafes\"\n",
    );
    let options = [
        "--mapping",
        mapping.to_str().expect("UTF-8"),
        "--refuse-at-most",
        "1",
    ];
    let (ok, said) = import_with(&settings, "places", &table, &options).await;
    assert!(
        ok && said.contains("line 3")
            && said.contains("places: 2 read, 1 created, 0 changed, 0 unchanged, 1 refused"),
        "{said}"
    );
    let (ok, said) = import_with(&settings, "places", &table, &options).await;
    assert!(ok && said.contains("1 unchanged"), "{said}");
    let found = "SELECT count(*) FROM places.listings l JOIN places.neighbourhoods n ON n.id = l.neighbourhood_id
        WHERE l.source_id = 'sdc:1' AND n.source_id = 'insee:11'";
    assert_eq!(database.number(found).await, 1);
    // Without a mapping, a table is rejected as invalid GeoJSON. The error for an invalid mapping gives the position.
    let (ok, said) = import(&settings, "places", &table).await;
    assert!(!ok && said.contains("--mapping"), "{said}");
    let broken = write("broken.toml", "source = ");
    let broken = ["--mapping", broken.to_str().expect("UTF-8")];
    let (ok, said) = import_with(&settings, "places", &table, &broken).await;
    assert!(!ok && said.contains("line 1"), "{said}");
}
