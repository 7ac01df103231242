//! A favourite from its creation to its removal.

use std::collections::BTreeSet;

use chassis::instant;
use chrono::DateTime;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::app::{Browser, answer, registration};
use crate::site::{Site, journeys};

fn at(value: &Value) -> String {
    let text = value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is no instant"));
    let instant = DateTime::parse_from_rfc3339(text).expect("RFC 3339");
    assert_eq!(
        instant::to_rfc3339(instant.to_utc()),
        text,
        "UTC with milliseconds"
    );
    text.to_owned()
}

async fn stamp(browser: &Browser) -> Value {
    browser.json("/api/v2/profiles/hi/").await["last_updates"]["favourites"].clone()
}

pub(crate) async fn a_favourite_is_made_once_listed_mapped_counted_and_removed(app: &Site) {
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    assert_eq!(stamp(&browser).await, Value::Null);

    let (status, made) = answer(
        browser
            .post("/api/v2/favourites/", &json!({"listing": 7}))
            .await,
    )
    .await;
    assert_eq!(status, 201, "{made}");
    assert_eq!(made["listing_id"], 7);
    assert_eq!(at(&stamp(&browser).await), at(&made["server_time"]));
    let (status, same) = answer(
        browser
            .post("/api/v2/favourites/", &json!({"listing_id": 7}))
            .await,
    )
    .await;
    assert_eq!((status, &same["id"]), (200, &made["id"]));
    assert_eq!(same["server_time"], made["server_time"]);
    // A change contains the instant of the previous change: a client with an older map has missed something.
    assert_eq!(made["previous_update"], Value::Null);
    assert_eq!(same["previous_update"], made["server_time"]);

    let list = browser.json("/api/v2/favourites/").await;
    assert_eq!((&list["count"], &list["next"]), (&json!(1), &Value::Null));
    let item = &list["results"][0];
    assert_eq!(
        (&item["id"], &item["is_available"]),
        (&made["id"], &json!(true))
    );
    let listing = browser.json("/api/v2/listings/7/").await;
    assert_eq!(
        (&item["listing"]["id"], &item["listing"]["name"]),
        (&json!(7), &listing["name"])
    );

    let map = browser.json("/api/v2/favourites/listing_ids/").await;
    assert_eq!(map["results"], json!([{"id": made["id"], "listing_id": 7}]));
    assert_eq!(at(&map["server_time"]), at(&made["server_time"]));
    let counts = browser.json("/api/v2/profiles/me/dashboard/").await;
    assert_eq!(counts["favourites"], 1);

    let path = format!("/api/v2/favourites/{}/", made["id"]);
    let removed = browser.delete(&path).await;
    assert_eq!(removed.status(), StatusCode::NO_CONTENT);
    let removed_at = removed.headers()["x-server-time"]
        .to_str()
        .expect("text")
        .to_owned();
    assert_eq!(
        removed.headers()["x-previous-update"].to_str().ok(),
        made["server_time"].as_str()
    );
    assert!(
        removed_at > at(&made["server_time"]),
        "a removal moves the stamp"
    );
    assert_eq!(at(&stamp(&browser).await), removed_at);
    assert_eq!(browser.delete(&path).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(browser.json("/api/v2/favourites/").await["count"], 0);
}

pub(crate) async fn following_next_gives_each_favourite_once(app: &Site) {
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    for listing in 1..=25 {
        browser
            .post("/api/v2/favourites/", &json!({"listing": listing}))
            .await;
    }
    for ordering in ["date_created", "-date_created", "name", "-name"] {
        let mut path = format!("/api/v2/favourites/?limit=4&ordering={ordering}");
        let mut seen = Vec::new();
        loop {
            let page = browser.json(&path).await;
            assert_eq!(page["count"], 25);
            let results = page["results"].as_array().expect("results");
            seen.extend(
                results
                    .iter()
                    .filter_map(|item| item["listing"]["id"].as_i64()),
            );
            match page["next"].as_str() {
                Some(next) => next.clone_into(&mut path),
                None => break,
            }
        }
        let distinct: BTreeSet<_> = seen.iter().collect();
        assert_eq!((seen.len(), distinct.len()), (25, 25), "{ordering}");
    }
}

pub(crate) async fn a_login_carries_out_what_the_reader_came_for_once(app: &Site) {
    let browser = app.browser();
    let mut body = registration("ada@example.com");
    body["next"] = json!("/places/?type=parks#/x/");
    body["post_authenticate_action"] = json!("favourite");
    body["object_id"] = json!(5);
    let (status, answered) = answer(
        browser
            .post("/api/v2/profiles/email-registration/", &body)
            .await,
    )
    .await;
    assert_eq!(status, 201, "{answered}");
    assert_eq!(
        answered["redirect_url"],
        "/places/?type=parks&post_authenticate_action=favourite&object_id=5#/x/"
    );
    assert_eq!(browser.json("/api/v2/favourites/").await["count"], 1);

    // An intent means "ensure it is on": a repeated intent does not switch it off. An invalid intent never fails the
    // login.
    for (action, object) in [
        ("favourite", json!("5")),
        ("favourite", json!("x")),
        ("rating", json!(5)),
    ] {
        let login = json!({"email": "ada@example.com", "password": crate::app::PASSWORD,
            "post_authenticate_action": action, "object_id": object, "next": "//evil.example"});
        let (status, answered) =
            answer(browser.post("/api/v2/profiles/email-login/", &login).await).await;
        assert_eq!(status, 200, "{answered}");
        assert!(
            answered["redirect_url"]
                .as_str()
                .is_some_and(|url| url.starts_with("/?"))
        );
        assert_eq!(browser.json("/api/v2/favourites/").await["count"], 1);
    }
    // An intent in a page's address saves nothing.
    browser
        .get("/?post_authenticate_action=favourite&object_id=6")
        .await;
    assert_eq!(browser.json("/api/v2/favourites/").await["count"], 1);
}

journeys! {
    following_next_gives_each_favourite_once,
    a_login_carries_out_what_the_reader_came_for_once;
    split too:
    a_favourite_is_made_once_listed_mapped_counted_and_removed,
}
