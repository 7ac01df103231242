//! Saved places of Google Takeout: reviewed, chosen and saved.

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    app::{Browser, answer},
    photos::form_with,
    site::{Site, journeys},
};

const TAKEOUT: &str = "/api/v2/profiles/me/takeout/";
const SAVE: &str = "/api/v2/profiles/me/takeout/save/";

async fn review(browser: &Browser, name: &str, file: &[u8]) -> (u16, Value) {
    let request = browser.request(Method::POST, TAKEOUT);
    let request = form_with(&[], ("file", name), file).send_with(request);
    answer(request.send().await.expect("answers")).await
}

/// Places as in `Saved Places.json`: a place of the guide, a place that only its name identifies, a place missing from
/// the guide, a place in another city, and a place without a name.
fn places() -> String {
    let place = |name: &str, latitude: f64, longitude: f64| {
        json!({"type": "Feature", "geometry": {"type": "Point", "coordinates": [longitude, latitude]},
            "properties": {"date": "2024-05-06T07:08:09Z", "google_maps_url": "http://maps.google.com/?cid=1",
                "location": {"name": name, "address": "1 Queen St W, Toronto", "country_code": "CA"}}})
    };
    let features = [
        place("Place 07", 43.5, -78.5),
        place("Place 08", 0.0, 0.0),
        place("Nowhere", 43.5, -78.5),
        place("Place 07", 51.5, -0.12),
        place("", 43.5, -78.5),
    ];
    json!({"type": "FeatureCollection", "features": features}).to_string()
}

async fn saved_places_are_reviewed_and_only_the_chosen_ones_are_saved(site: &Site) {
    let browser = site.browser();
    browser.sign_up("ada@example.com").await;
    let (status, found) = review(&browser, "Saved Places.json", places().as_bytes()).await;
    assert_eq!(status, 200, "{found}");
    let results = found["results"].as_array().expect("results");
    let certainties: Vec<_> = results.iter().map(|one| &one["certainty"]).collect();
    assert_eq!(certainties, ["sure", "perhaps", "none", "elsewhere"]);
    assert_eq!(
        (&found["list"], &found["nameless"], &found["left_out"]),
        (&json!("Saved Places"), &json!(1), &json!(0))
    );
    let sure = &results[0]["listing"];
    let listing = browser
        .json(&format!("/api/v2/listings/{}/", sure["id"]))
        .await;
    for field in ["name", "share_url", "default_neighborhood", "is_closed"] {
        assert_eq!(sure[field], listing[field], "{field}");
    }
    assert_eq!(results[0]["address"], "1 Queen St W, Toronto");
    assert_eq!(results[2]["listing"], Value::Null);
    let counts = browser.json("/api/v2/profiles/me/dashboard/").await;
    assert_eq!(
        (&counts["favourites"], &counts["todos"]),
        (&json!(0), &json!(0)),
        "nothing is saved"
    );

    let chosen = [&sure["id"], &results[1]["listing"]["id"], &json!(4_711)];
    for kind in ["favourites", "todos"] {
        let body = json!({"listings": chosen, "kind": kind});
        let (status, saved) = answer(browser.post(SAVE, &body).await).await;
        assert_eq!(status, 200, "{saved}");
        assert_eq!(
            (&saved["saved"], &saved["already_saved"]),
            (&json!(2), &json!(0))
        );
        assert_eq!(
            (&saved["unknown"], &saved["previous_update"]),
            (&json!([4_711]), &Value::Null)
        );
        let (_, again) = answer(browser.post(SAVE, &body).await).await;
        assert_eq!(
            (&again["saved"], &again["already_saved"]),
            (&json!(0), &json!(2))
        );
        assert_eq!(again["server_time"], saved["server_time"]);
        let stamps = browser.json("/api/v2/profiles/hi/").await;
        assert_eq!(stamps["last_updates"][kind], saved["server_time"]);
        let list = browser.json(&format!("/api/v2/{kind}/")).await;
        assert_eq!(list["count"], 2);
        assert!(
            list["results"]
                .as_array()
                .expect("results")
                .iter()
                .any(|one| one["listing"]["id"] == sure["id"])
        );
    }
    let wrong = json!({"listings": [1], "kind": "ratings"});
    let (status, refused) = answer(browser.post(SAVE, &wrong).await).await;
    assert_eq!((status, refused["kind"].is_array()), (400, true));
    let many = json!({"listings": vec![1; 2_001], "kind": "todos"});
    let (status, refused) = answer(browser.post(SAVE, &many).await).await;
    assert_eq!((status, refused["listings"].is_array()), (400, true));
}

async fn a_list_is_a_table_and_other_files_are_refused_with_a_reason(site: &Site) {
    let browser = site.browser();
    browser.sign_up("grace@example.com").await;
    let table = "\u{feff}Title,Note,URL,Tags,Comment\r\n,,,,\r\nPlace 07,\"our, table\",\"https://www.google.com/maps/place/\
        Place+07/@43.6,-79.3,17z/data=!3m1!8m2!3d43.5!4d-78.5\",,\r\n=cmd|' /C calc'!A0,,,,\r\n";
    let (status, found) = review(&browser, "Want to go.csv", table.as_bytes()).await;
    assert_eq!(
        (status, &found["list"]),
        (200, &json!("Want to go")),
        "{found}"
    );
    let [first, second] = found["results"].as_array().expect("results").as_slice() else {
        panic!("{found}");
    };
    assert_eq!(
        (&first["certainty"], &first["note"]),
        (&json!("sure"), &json!("our, table"))
    );
    assert_eq!(
        (&second["certainty"], &second["name"]),
        (&json!("none"), &json!("=cmd|' /C calc'!A0"))
    );

    let many = format!("Title,Note,URL\n{}", "Somewhere,,\n".repeat(100_000));
    let (status, found) = review(&browser, "many.csv", many.as_bytes()).await;
    assert_eq!((status, &found["left_out"]), (200, &json!(98_000)));
    assert_eq!(found["results"].as_array().map(Vec::len), Some(2_000));

    let deep = format!(
        "{{\"features\": {}{}}}",
        "[".repeat(500_000),
        "]".repeat(500_000)
    );
    let large = vec![b'a'; (4 << 20) + 1];
    for (file, expected) in [
        (&b"PK\x03\x04 and more"[..], 400),
        (b"\xff\xfeT\0i\0t\0l\0e\0", 400),
        (b"<!doctype html><title>Takeout</title>", 400),
        (b"{\"features\": [{\"properties\": {\"Title\": {}}}]}", 400),
        (b"{\"features\": [", 400),
        (b"", 400),
        (deep.as_bytes(), 400),
        (&large, 413),
    ] {
        let (status, refused) = review(&browser, "a.json", file).await;
        assert_eq!(
            (status, refused["file"].is_array()),
            (expected, true),
            "{refused}"
        );
    }
}

journeys! {
    saved_places_are_reviewed_and_only_the_chosen_ones_are_saved,
    a_list_is_a_table_and_other_files_are_refused_with_a_reason,
}
