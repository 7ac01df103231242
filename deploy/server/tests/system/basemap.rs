//! `cityguide import basemap`: the map below the site's places, from the file to the API.

use std::fs;

use serde_json::json;
use testkit::until;

use crate::{app::App, imports::import_with};

const PATH: &str = "/api/v2/basemap/";

#[tokio::test]
async fn an_imported_map_is_served_with_its_credit_and_replaces_the_former_one() {
    let app = App::start().await;
    let browser = app.browser();
    let none = browser.json(PATH).await;
    assert_eq!(none["features"], json!([]));
    assert_eq!(none["credit"], json!(null));

    let street = |name: &str, latitude: f64| {
        json!({"type": "Feature", "properties": {"highway": "primary", "name": name},
            "geometry": {"type": "LineString", "coordinates": [[-79.5, latitude], [-79.4, latitude]]}})
    };
    let broken = json!({"type": "Feature", "properties": {"natural": "water"}, "geometry": null});
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ground.geojson");
    let write = |features: &[serde_json::Value]| {
        let ground = json!({"type": "FeatureCollection", "features": features});
        fs::write(&file, ground.to_string()).expect("writes");
    };
    write(&[street("Queen Street", 43.6), broken]);
    let (ok, said) = import_with(&app.settings, "basemap", &file, &[]).await;
    assert!(
        !ok && said.contains("it has no readable geometry"),
        "{said}"
    );
    let options = ["--refuse-at-most", "1"];
    let (ok, said) = import_with(&app.settings, "basemap", &file, &options).await;
    let report = "base map: 2 read, 1 created, 0 changed, 0 unchanged, 1 refused";
    assert!(ok && said.contains(report), "{said}");
    let (ok, said) = import_with(&app.settings, "basemap", &file, &options).await;
    assert!(
        ok && said.contains("0 created, 0 changed, 1 unchanged"),
        "{said}"
    );

    let names = async || {
        let map = browser.json(PATH).await;
        let features = map["features"].as_array().expect("features").iter();
        features
            .map(|of| of["properties"]["name"].clone())
            .collect::<Vec<_>>()
    };
    until("the map is served", async || {
        (names().await == ["Queen Street"]).then_some(())
    })
    .await;
    let map = browser.json(PATH).await;
    assert_eq!(map["type"], "FeatureCollection");
    assert_eq!(map["credit"], "© OpenStreetMap contributors");
    assert_eq!(
        map["features"][0]["geometry"],
        json!({"type": "MultiLineString", "coordinates": [[[-79.5, 43.6], [-79.4, 43.6]]]})
    );

    write(&[street("King Street", 43.5)]);
    let (ok, said) = import_with(&app.settings, "basemap", &file, &["--credit", ""]).await;
    assert!(
        ok && said.contains("base map: 1 read, 0 created, 1 changed"),
        "{said}"
    );
    until("the new map is served", async || {
        (names().await == ["King Street"]).then_some(())
    })
    .await;
    assert_eq!(browser.json(PATH).await["credit"], json!(null));
}
