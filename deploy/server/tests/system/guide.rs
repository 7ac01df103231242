//! Pages beside the lists of places: nearby and similar places, best-of lists, age-restricted places, and the
//! content of the menus.

use std::fs;

use chrono::{DateTime, Utc};
use editorial_proto::v1::{Event, Kind, import_item::Detail};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    app::Browser,
    city, items,
    site::{Site, journeys},
};

/// Publishes the city's folder with additions: a best-of list, and an age-restricted shop with a review.
pub(crate) async fn publish_more(site: &Site) {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    city::write(root);
    let types = root.join("listing-types.toml");
    let mut text = fs::read_to_string(&types).expect("reads");
    text.push_str(
        "\n[[type]]\nslug = \"dispensaries\"\nname = \"Dispensaries\"\nname_singular = \"Dispensary\"\n\
         is_food = false\nis_age_restricted = true\n",
    );
    fs::write(types, text).expect("writes");
    fs::write(
        root.join("places/leaf.md"),
        "+++\nname = \"Leaf\"\ntype = \"dispensaries\"\nlatitude = 43.6\nlongitude = -79.4\n\
         published = 2026-02-01\nopening_hours = \"24/7\"\npicture = \"pictures/one.svg\"\nreview_author = \"Ada\"\n\
         review_date = 2026-02-01\n+++\nPurple haze.\n",
    )
    .expect("writes");
    fs::create_dir_all(root.join("best-of")).expect("a folder");
    fs::write(
        root.join("best-of/benches.md"),
        "+++\nname = \"The best benches\"\npublished = 2026-02-02\npicture = \"pictures/one.svg\"\n+++\n\
         We *sat*.\n\n## place-3\n\nIn the shade.\n\n## place-0\n",
    )
    .expect("writes");
    let output = city::apply(site.settings(), root).await;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
}

fn names(list: &Value) -> Vec<&str> {
    let results = list.as_array().expect("a list");
    let names = results.iter().map(|item| item["name"].as_str());
    names.map(|name| name.expect("a name")).collect()
}

async fn id_of(browser: &Browser, name: &str) -> i64 {
    let path = format!("/api/v2/listings/?keywords={}", name.replace(' ', "%20"));
    let found = browser.json(&path).await;
    found["results"][0]["id"].as_i64().expect("a place")
}

async fn status(browser: &Browser, path: &str) -> u16 {
    browser.get(path).await.status().as_u16()
}

async fn places_are_found_by_their_distance_and_places_alike_beside_them(site: &Site) {
    let browser = site.browser();
    let near = "/api/v2/listings/?near=43.5,-78.6&ordering=distance&limit=16";
    let found = browser.json(near).await;
    assert_eq!(found["count"], -1);
    let results = found["results"].as_array().expect("results");
    let metres = results.iter().map(|place| &place["distance"]);
    let metres: Vec<_> = metres
        .map(|metres| metres.as_i64().expect("metres"))
        .collect();
    assert!(metres.is_sorted(), "{metres:?}");
    assert!((8_000..8_200).contains(&metres[0]), "{metres:?}");
    assert!((72_000..73_000).contains(&metres[15]), "{metres:?}");
    let next = found["next"].as_str().expect("a next page");
    let rest = browser.json(next).await;
    assert_eq!(rest["results"].as_array().expect("results").len(), 14);
    for (query, field) in [
        ("ordering=distance", "ordering"),
        ("near=43.5", "near"),
        ("near=43.5,x", "near"),
        ("near=91,0", "near"),
        ("near=NaN,0", "near"),
        ("near=1,2&near=1,2", "near"),
        ("best_of=nothing", "best_of"),
    ] {
        let path = format!("/api/v2/listings/?{query}");
        let answer = browser.get(&path).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{query}");
        let body: Value = answer.json().await.expect("JSON");
        assert!(body.get(field).is_some(), "{query}: {body}");
    }

    let id = id_of(&browser, "Place 01").await;
    let similar = browser
        .json(&format!("/api/v2/listings/{id}/similar/"))
        .await;
    let similar = &similar["results"];
    assert_eq!(similar.as_array().expect("results").len(), 12);
    assert!(!names(similar).contains(&"Place 01"));
    // Places of the same type, first the places in the same neighbourhood.
    for place in similar.as_array().expect("results") {
        assert_eq!(place["type"]["name"], "Restaurants");
    }
    assert_eq!(similar[0]["default_neighborhood"]["name"], "East End");
    assert_eq!(status(&browser, "/api/v2/listings/999/similar/").await, 404);
}

async fn a_neighbourhood_answers_its_boundary(site: &Site) {
    let browser = site.browser();
    let area = browser.json("/api/v2/neighbourhoods/west-end/").await;
    assert_eq!(area["name"], "West End");
    assert_eq!(area["count"], city::PLACES / 2);
    assert_eq!(area["boundary"]["type"], "Polygon");
    assert_eq!(area["boundary"]["coordinates"][0][0], json!([-80, 43]));
    for slug in ["north-end", "West-End", "%00"] {
        let path = format!("/api/v2/neighbourhoods/{slug}/");
        assert_eq!(status(&browser, &path).await, 404, "{slug}");
    }
}

async fn a_best_of_list_ranks_its_places_and_places_name_it(site: &Site) {
    publish_more(site).await;
    let browser = site.browser();
    let lists = browser.json("/api/v2/best-of-lists/").await;
    assert_eq!(
        (names(&lists["results"]), &lists["count"]),
        (vec!["The best benches"], &json!(1))
    );
    assert_eq!(lists["results"][0]["share_url"], "/toronto/benches/");
    let list = browser.json("/api/v2/best-of-lists/benches/").await;
    assert_eq!(list["intro"], "<p>We <em>sat</em>.</p>\n");
    assert_eq!(list["entries"][0]["rank"], 1);
    assert_eq!(list["entries"][0]["listing"]["name"], "Place 03");
    assert_eq!(list["entries"][0]["text"], "<p>In the shade.</p>\n");
    assert_eq!(list["entries"][1]["listing"]["name"], "Place 00");
    let answer = browser.get("/api/v2/best-of-lists/?ordering=rank").await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    assert_eq!(status(&browser, "/api/v2/best-of-lists/stools/").await, 404);

    let listed = browser
        .json("/api/v2/listings/?best_of=benches&ordering=name")
        .await;
    assert_eq!(names(&listed["results"]), ["Place 00", "Place 03"]);
    let rankings = &listed["results"][0]["appears_in_best_of_lists"];
    let expected =
        json!([{"name": "The best benches", "share_url": "/toronto/benches/", "rank": 2}]);
    assert_eq!(*rankings, expected);

    let id = listed["results"][0]["id"].as_i64().expect("an id");
    let whole = format!("/api/v2/listings/{id}/?include=similar,recent,best_of");
    let whole = browser.json(&whole).await;
    assert_eq!(names(&whole["best_of"]), ["The best benches"]);
    assert_eq!(names(&whole["recent"]), ["Leaf", "Place 00"]);
    assert_eq!(whole["similar"].as_array().expect("places").len(), 4);
    let bare = browser.json(&format!("/api/v2/listings/{id}/")).await;
    assert!(bare.get("similar").is_none() && bare.get("recent").is_none());
    let wrong = format!("/api/v2/listings/{id}/?include=everything");
    assert_eq!(status(&browser, &wrong).await, 400);

    let resolve = async |path: &str| browser.json(&format!("/api/v2/resolve/?path={path}")).await;
    for path in ["/toronto/benches/", "/toronto/benches", "/best-of/benches/"] {
        let found = resolve(path).await;
        assert_eq!(found["kind"], "best-of-list", "{path}");
        assert_eq!(found["canonical"], "/toronto/benches/");
    }
    assert_eq!(
        status(&browser, "/api/v2/resolve/?path=/toronto/stools/").await,
        404
    );
    assert_eq!(
        status(&browser, "/api/v2/resolve/?path=/toronto/").await,
        404
    );
}

async fn a_place_for_adults_shows_its_review_to_readers_of_legal_age_alone(site: &Site) {
    publish_more(site).await;
    let browser = site.browser();
    let id = id_of(&browser, "Leaf").await;
    for path in [
        format!("/api/v2/listings/{id}/?include=recent"),
        "/api/v2/listings/?type=dispensaries".to_owned(),
        "/api/v2/navigation/".to_owned(),
        "/api/v2/tonight/".to_owned(),
        "/dispensaries/leaf/".to_owned(),
        "/tonight/".to_owned(),
    ] {
        let body = browser.get(&path).await.text().await.expect("a body");
        assert!(body.contains("Leaf"), "{path}");
        assert!(!body.contains("Purple haze"), "{path}");
    }
    let public = browser.json(&format!("/api/v2/listings/{id}/")).await;
    assert_eq!(public["type"]["is_age_restricted"], true);
    assert!(public["image_url"].is_null() && public["review"].is_null());

    let gated = format!("/api/v2/listings/{id}/gated/");
    assert_eq!(status(&browser, &gated).await, 403);
    let of_age = browser
        .request(Method::GET, &gated)
        .header("X-Of-Legal-Age", "1");
    let answer = of_age.send().await.expect("answers");
    assert_eq!(answer.headers()["cache-control"], "private, no-store");
    let whole: Value = answer.json().await.expect("JSON");
    assert_eq!(whole["review"]["body"], "<p>Purple haze.</p>\n");
    assert!(whole["image_url"].is_string());
    let absent = browser.request(Method::GET, "/api/v2/listings/9999/gated/");
    let absent = absent.header("X-Of-Legal-Age", "1").send().await;
    assert_eq!(absent.expect("answers").status(), StatusCode::NOT_FOUND);
}

async fn the_menus_show_what_is_new_in_sections_that_are_on(site: &Site) {
    publish_more(site).await;
    let browser = site.browser();
    let menus = browser.json("/api/v2/navigation/").await;
    assert_eq!(menus["bar"][0]["label"], "Places");
    let places = &menus["places"];
    assert_eq!(places["cards"][0]["title"], "Leaf");
    assert_eq!(places["cards"][0]["share_url"], "/dispensaries/leaf/");
    assert_eq!(
        places["links"][0],
        json!({"label": "All Places", "href": "/places/"})
    );
    let links = places["links"].as_array().expect("links");
    assert!(links.contains(&json!({"label": "Parks", "href": "/parks/"})));
    assert_eq!(menus["restaurants"]["cards"], json!([]));
    let news = &menus["latest_news"]["links"];
    let expected = json!([
        {"label": "All News", "href": "/news/"},
        {"label": "Culture", "href": "/culture/"},
    ]);
    assert_eq!(*news, expected);
    let more = json!([
        {"label": "Neighbourhoods", "href": "/neighbourhoods/"},
        {"label": "Contests", "href": "/contests/"},
    ]);
    assert_eq!(menus["more"], more);
    assert!(menus.get("videos").is_none() && menus.get("patio_guide").is_none());
}

async fn the_file_of_the_day_has_events_and_open_places(site: &Site) {
    publish_more(site).await;
    let mut fair = items::item(Kind::Event, "", "fair", 1);
    // It is on today, on any day of the test.
    fair.detail = Some(Detail::Event(Event {
        zone: "Canada/Eastern".to_owned(),
        starts_local: "2026-01-04T09:00:00".to_owned(),
        ends_local: "2126-01-04T14:00:00".to_owned(),
        ..Event::default()
    }));
    items::publish(site.settings(), vec![fair]).await;
    let browser = site.browser();
    let file = browser.json("/api/v2/tonight/").await;
    let instant = |name: &str| {
        let text = file[name].as_str().expect("an instant");
        text.parse::<DateTime<Utc>>().expect("an instant")
    };
    let minutes = (instant("ends_at") - instant("starts_at")).num_minutes();
    assert_eq!(names(&file["events"]), ["FAIR"]);
    assert_eq!(file["events"][0]["start_time"], "Ongoing");
    let leaf = json!({
        "id": id_of(&browser, "Leaf").await, "name": "Leaf", "share_url": "/dispensaries/leaf/",
        "type": "dispensaries", "kind": "Dispensary", "line": null,
        "neighbourhood": {"name": "West End", "share_url": "/neighbourhoods/west-end/"},
        "position": [43.6, -79.4], "open": [[0, minutes]],
    });
    assert_eq!(file["places"], json!([leaf]));
    let types = json!([{"slug": "dispensaries", "name": "Dispensaries", "count": 1}]);
    assert_eq!(file["types"], types);
    assert_eq!(file["late_kitchens"], 0);
    assert!(file["sunset"].is_string());

    let page = browser.get("/tonight/?type=dispensaries").await;
    let page = page.text().await.expect("a body");
    assert!(
        page.contains("All night") && page.contains("FAIR"),
        "{page}"
    );
}

journeys! {
    the_file_of_the_day_has_events_and_open_places,
    places_are_found_by_their_distance_and_places_alike_beside_them,
    a_neighbourhood_answers_its_boundary,
    a_best_of_list_ranks_its_places_and_places_name_it,
    a_place_for_adults_shows_its_review_to_readers_of_legal_age_alone,
    the_menus_show_what_is_new_in_sections_that_are_on,
}
