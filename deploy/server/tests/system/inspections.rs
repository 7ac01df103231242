//! `cityguide import inspections`, from the register's file to the page of a place.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::{Value, json};

use crate::{
    commands,
    site::{Site, journeys},
};

const HEADINGS: &str = "\"Rec #\",\"Establishment ID\",\"Inspection ID\",\"Establishment Name\",\"Establishment Type\",\
    \"Establishment Address\",\"Latitude\",\"Longitude\",\"Establishment Status\",\"Min. Inspections Per Year\",\
    \"Infraction Details\",\"Inspection Date\",\"Severity\",\"Action\",\"Outcome\",\"Amount Fined\"\n";

/// A café, and another café with a different name in the register.
fn places(folder: &Path) -> std::path::PathBuf {
    let place = |id: u32, name: &str, address: &str, latitude: f64| {
        json!({"id": format!("node/{id}"), "properties": {"name": name, "amenity": "cafe", "addr:full": address},
            "geometry": {"type": "Point", "coordinates": [-79.4, latitude]}})
    };
    let features = [
        place(1, "Kettle", "12 Queen Street West", 43.65),
        place(2, "Thistle Barn", "90 King Street East", 43.6501),
    ];
    let file = folder.join("places.geojson");
    let city = json!({"type": "FeatureCollection", "features": features});
    fs::write(&file, city.to_string()).expect("writes");
    file
}

fn row(number: u32, establishment: &str, name: &str, address: &str, rest: &str) -> String {
    format!(
        "\"{number}\",\"{establishment}\",\"9{number}\",\"{name}\",\"Restaurant\",\"{address}\",\"43.65\",\"-79.4\",{rest}\n"
    )
}

pub(crate) fn register() -> String {
    [
        HEADINGS.to_owned(),
        row(1, "10", "KETTLE CAFE", "12 QUEEN ST W", "\"Pass\",\"2\",\"\",\"2020-05-01\",\"\",\"\",\"\",\"\""),
        row(2, "20", "THISTLE MILL", "90 KING ST E", "\"Pass\",\"2\",\"\",\"2020-05-02\",\"\",\"\",\"\",\"\""),
        row(3, "30", "NOWHERE", "1 FAR RD", "\"Pass\",\"2\",\"\",\"2020-05-03\",\"\",\"\",\"\",\"\""),
        row(
            4,
            "10",
            "KETTLE CAFE",
            "12 QUEEN ST W",
            "\"Conditional Pass\",\"2\",\"FAIL TO CLEAN\",\"2020-02-01\",\"C - Crucial\",\"Ticket\",\"\",\"610\"",
        ),
    ]
    .concat()
}

async fn the_register_is_imported_reviewed_and_shown(site: &Site) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, review) = (path("register.csv"), path("review.csv"));
    fs::write(&file, register()).expect("writes");
    let settings = site.settings();
    let cafes = places(folder.path()).display().to_string();
    let (ok, said) = commands::said(settings, &["import", "places", &cafes]).await;
    assert!(ok, "{said}");

    let import = ["import", "inspections", &file, "--review", &review];
    let (ok, said) = commands::said(settings, &[&import[..], &["--dry-run"]].concat()).await;
    assert!(ok && said.contains("nothing was changed"), "{said}");
    let (ok, said) = commands::said(settings, &import).await;
    let rows = "rows: 4 read, 4 created, 0 changed, 0 unchanged, 0 refused";
    assert!(ok && said.contains(rows), "{said}");
    let establishments = "establishments: 3 stored, 0 linked by id, 1 by name, address and distance, 0 by decision, \
        1 doubtful, 1 without a place";
    assert!(said.contains(establishments), "{said}");

    // A person decides, and the decisions are imported with the same file.
    let doubtful = fs::read_to_string(&review).expect("a review");
    let answered = doubtful.replace("\n,20,osm:node/2", "\nyes,20,osm:node/2");
    assert_ne!(answered, doubtful);
    fs::write(&review, &answered).expect("writes");
    let reviewed = [&import[..], &["--reviewed", &review]].concat();
    let (ok, said) = commands::said(settings, &[&reviewed[..], &["--dry-run"]].concat()).await;
    assert!(ok && said.contains("1 by decision"), "{said}");
    assert_eq!(fs::read_to_string(&review).expect("a review"), answered);
    let (ok, said) = commands::said(settings, &reviewed).await;
    let rows = "rows: 4 read, 0 created, 1 changed, 3 unchanged, 0 refused";
    assert!(ok && said.contains(rows), "{said}");
    assert!(said.contains("decisions: 1 read, 1 created"), "{said}");
    let (ok, said) = commands::said(settings, &import).await;
    let rows = "rows: 4 read, 0 created, 0 changed, 4 unchanged, 0 refused";
    assert!(ok && said.contains(rows), "{said}");

    let browser = site.browser();
    let found = browser.json("/api/v2/listings/?keywords=kettle").await;
    let id = found["results"][0]["id"].as_i64().expect("an id");
    let list = format!("/api/v2/listings/{id}/inspections/");
    let listed = browser.json(&list).await;
    assert_eq!(listed["count"], 2);
    let expected = json!([{"details": "Fail to clean", "severity": "crucial", "action": "Ticket", "court_outcome": null,
        "fine": 610.0, "fine_text": "$610"}]);
    assert_eq!(listed["results"][1]["infractions"], expected);
    assert_eq!(listed["results"][0]["is_pass"], Value::Bool(true));
    let page = found["results"][0]["share_url"].as_str().expect("a page");
    let html = browser.get(page).await.text().await.expect("a body");
    assert!(html.contains("Conditional Pass") && html.contains("February 1, 2020"));
}

journeys! {
    the_register_is_imported_reviewed_and_shown,
}

#[tokio::test]
async fn a_hostile_file_says_what_is_wrong_and_leaves_nothing() {
    let (settings, database, folder) = commands::migrated().await;
    let good = register();
    let mut latin = good.clone().into_bytes();
    latin.extend(
        row(
            5,
            "50",
            "PUR\u{e9}E",
            "1 QUEEN ST",
            "\"Pass\",\"2\",\"\",\"2020-05-01\",\"\",\"\",\"\",\"\"",
        )
        .chars()
        .map(|c| u8::try_from(c).expect("Latin")),
    );
    let nul = good.replace("NOWHERE", "NO\0WHERE");
    let long = good.replace("FAIL TO CLEAN", &"X".repeat(1 << 20));
    let columns = good.replace("Inspection ID", "Inspection");
    let cut = good.trim_end_matches("10\"\n").to_owned();
    let utf_16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (content, expected) in [
        (latin, "line 6: it is not in UTF-8"),
        (nul.into_bytes(), "line 4: it has a NUL byte"),
        (long.into_bytes(), "line 5 is longer than 64 KiB"),
        (columns.into_bytes(), "lacks the headings: Inspection ID"),
        (
            cut.into_bytes(),
            "it breaks off in the row that begins in line 5",
        ),
        (utf_16, "its headings cannot be read"),
        (Vec::new(), "it is empty"),
    ] {
        let file = folder.path().join("register.csv");
        fs::write(&file, content).expect("writes");
        let file = file.display().to_string();
        let (ok, said) = commands::said(&settings, &["import", "inspections", &file]).await;
        assert!(!ok && said.contains(expected), "{expected}: {said}");
        assert!(said.contains("nothing was imported"), "{said}");
        let stored = "SELECT count(*) FROM places.establishments";
        assert_eq!(database.number(stored).await, 0);
    }
}

/// A register with this many rows, two for each inspection, and a text in a column that is not imported.
pub(crate) fn large(folder: &Path, rows: usize, ignored: &str) -> std::path::PathBuf {
    let mut text = HEADINGS.to_owned();
    for at in 0..rows {
        let (establishment, inspection) = (at / 4, at / 2);
        writeln!(
            text,
            "\"{at}\",\"{establishment}\",\"{inspection}\",\"PLACE {establishment}\",\"Restaurant\",\
             \"{establishment} QUEEN ST W\",\"43.{:05}\",\"-79.{:05}\",\"Pass\",\"{ignored}\",\"Infraction {at}\",\
             \"2020-02-01\",\"M - Minor\",\"Notice to Comply\",\"\",\"\"",
            establishment * 104_729 % 99_989,
            establishment * 7_919 % 99_991,
        )
        .expect("a String takes all");
    }
    let file = folder.join(format!("{rows}.csv"));
    fs::write(&file, text).expect("writes");
    file
}
