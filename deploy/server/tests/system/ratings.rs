//! Readers' votes on places over HTTP: a vote, its place's average, and bursts of votes that an operator reviews.

use std::sync::Arc;

use chassis::clock::SystemClock;
use reqwest::StatusCode;
use serde_json::{Value, json};
use testkit::until;

use crate::{
    app::{App, Browser, answer},
    commands::{output_of, run},
    site::{Site, journeys},
};

const RATINGS: &str = "/api/v2/ratings/";

async fn reader(site: &Site, email: &str) -> Browser {
    let browser = site.browser();
    browser.sign_up(email).await;
    browser
}

async fn vote(browser: &Browser, listing: i64, rating: i64) -> (u16, Value) {
    let body = json!({"listing": listing, "rating": rating});
    answer(browser.post(RATINGS, &body).await).await
}

/// A place's average, its voters, and the browser's own vote.
async fn seen(browser: &Browser, listing: i64) -> (Value, Value, Value) {
    let found = browser.get(&format!("{RATINGS}{listing}/")).await;
    assert_eq!(found.headers()["cache-control"], "private, no-store");
    let (status, found) = answer(found).await;
    assert_eq!((status, &found["listing"]), (200, &json!(listing)));
    assert_eq!(found["id"].is_null(), found["rating"].is_null());
    (
        found["average"].clone(),
        found["voters"].clone(),
        found["rating"].clone(),
    )
}

async fn a_vote_is_made_changed_and_taken_back_and_the_average_follows(site: &Site) {
    let (ada, bob) = (
        reader(site, "ada@example.com").await,
        reader(site, "bob@example.com").await,
    );
    let guest = site.browser();
    let page = "/api/v2/listings/7/";
    assert_eq!(guest.json(page).await["rating"], Value::Null);
    assert_eq!(
        seen(&guest, 7).await,
        (Value::Null, json!(0), Value::Null),
        "no vote: null and 0"
    );
    let (status, made) = vote(&ada, 7, 5).await;
    assert_eq!((status, &made["rating"]), (201, &json!(5)), "{made}");
    assert_eq!(made["previous_update"], Value::Null);
    assert_eq!(vote(&bob, 7, 2).await.0, 201);
    assert_eq!(seen(&guest, 7).await, (json!(3.5), json!(2), Value::Null));
    assert_eq!(seen(&ada, 7).await, (json!(3.5), json!(2), json!(5)));
    until("the place's own answer follows", async || {
        let place = guest.json(page).await;
        (place["rating"] == 3.5 && place["voters"] == 2).then_some(())
    })
    .await;

    let (status, again) = vote(&ada, 7, 4).await;
    assert_eq!((status, &again["id"]), (200, &made["id"]), "{again}");
    assert_eq!(again["previous_update"], made["server_time"]);
    let own = format!("{RATINGS}{}/", made["id"]);
    let (status, changed) = answer(ada.patch(&own, &json!({"rating": 3})).await).await;
    assert_eq!((status, &changed["rating"]), (200, &json!(3)), "{changed}");
    assert_eq!(seen(&ada, 7).await, (json!(2.5), json!(2), json!(3)));
    let map = ada.json(&format!("{RATINGS}listing_ids/")).await;
    let entry = json!({"id": made["id"], "listing_id": 7, "rating": 3});
    assert_eq!(map["results"], json!([entry]));
    assert_eq!(map["server_time"], changed["server_time"]);
    assert_eq!(ada.json(RATINGS).await["results"][0]["rating"], 3);

    let strangers = bob.patch(&own, &json!({"rating": 1})).await;
    assert_eq!(strangers.status(), StatusCode::NOT_FOUND);
    assert_eq!(bob.delete(&own).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(ada.delete(&own).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(seen(&ada, 7).await, (json!(2.0), json!(1), Value::Null));
    let bobs = bob.json(RATINGS).await["results"][0]["id"].clone();
    bob.delete(&format!("{RATINGS}{bobs}/")).await;
    assert_eq!(
        seen(&bob, 7).await,
        (Value::Null, json!(0), Value::Null),
        "null and 0 after the last one too"
    );
}

async fn what_is_no_vote_is_refused_under_its_field_and_changes_nothing(site: &Site) {
    let ada = reader(site, "ada@example.com").await;
    let (_, made) = vote(&ada, 8, 4).await;
    let own = format!("{RATINGS}{}/", made["id"]);
    for rating in [
        json!("5"),
        json!(4.5),
        json!(0),
        json!(-1),
        json!(6),
        json!(null),
        json!(true),
        json!([5]),
        json!(1_i64 << 40),
        json!(1e300),
    ] {
        for (status, refused) in [
            answer(
                ada.post(RATINGS, &json!({"listing": 7, "rating": rating}))
                    .await,
            )
            .await,
            answer(ada.patch(&own, &json!({"rating": rating})).await).await,
        ] {
            assert_eq!(status, 400, "{rating}: {refused}");
            assert!(refused["rating"].is_array(), "{rating}: {refused}");
        }
    }
    for body in [json!({"listing": 7}), json!({})] {
        assert_eq!(
            ada.post(RATINGS, &body).await.status(),
            StatusCode::BAD_REQUEST
        );
    }
    assert_eq!(seen(&ada, 7).await.1, 0);
    assert_eq!(seen(&ada, 8).await, (json!(4.0), json!(1), json!(4)));
    for path in ["0", "-1", "9223372036854775808", "1%00", "x", "999999"] {
        let absent = ada.get(&format!("{RATINGS}{path}/")).await;
        assert_eq!(absent.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

async fn a_vote_through_one_gateway_is_in_hi_of_the_other_at_once(site: &Site) {
    let ada = reader(site, "ada@example.com").await;
    let (_, made) = vote(&ada, 7, 5).await;
    let hi = ada.json("/api/v2/profiles/hi/").await;
    assert_eq!(hi["last_updates"]["ratings"], made["server_time"]);
    until("the profile's copy follows", async || {
        let me = ada.json("/api/v2/profiles/me/").await;
        (me["last_updates"]["ratings"] == made["server_time"]).then_some(())
    })
    .await;
}

journeys! {
    a_vote_is_made_changed_and_taken_back_and_the_average_follows,
    what_is_no_vote_is_refused_under_its_field_and_changes_nothing;
    split too:
    a_vote_through_one_gateway_is_in_hi_of_the_other_at_once,
}

#[tokio::test]
async fn an_operator_reviews_votes_that_came_in_a_burst_from_one_network() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        settings.ratings.burst_votes = 1;
    })
    .await;
    let settings = app.settings.clone();
    let site = Site::Whole(app);
    let mut readers = Vec::new();
    for name in ["ada", "bob", "cyd"] {
        let browser = reader(&site, &format!("{name}@example.com")).await;
        assert_eq!(vote(&browser, 7, 1).await.0, 201);
        assert_eq!(vote(&browser, 8, 5).await.0, 201);
        readers.push(browser);
    }
    let last = &readers[2];
    assert_eq!(seen(last, 7).await, (json!(1.0), json!(1), json!(1)));
    let ratings = async |arguments: &[&str]| {
        let output = run(&settings, &[&["ratings"], arguments].concat()).await;
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let listed = ratings(&["review"]).await;
    let lines: Vec<_> = listed.lines().collect();
    assert_eq!(lines.last(), Some(&"2 bursts of votes wait"), "{listed}");
    let of = |place: &str| {
        let line = lines.iter().find(|line| line.contains(place));
        let line = line.unwrap_or_else(|| panic!("{place} in {listed}"));
        assert!(line.contains("2 votes of "), "{line}");
        assert!(line.contains("from network 127.0.0.0/24"), "{line}");
        line.split(':').next().expect("an id").to_owned()
    };
    let (bad, good) = (of("(place 7)"), of("(place 8)"));
    assert!(ratings(&["refuse", &bad]).await.contains("2 votes refused"));
    assert!(
        ratings(&["accept", &good])
            .await
            .contains("2 votes counted")
    );
    assert_eq!(ratings(&["review"]).await, "0 bursts of votes wait\n");
    assert_eq!(seen(last, 7).await, (json!(1.0), json!(1), json!(1)));
    assert_eq!(seen(last, 8).await, (json!(5.0), json!(3), json!(5)));
    until("the place's own answer follows", async || {
        let place = last.json("/api/v2/listings/8/").await;
        (place["voters"] == 3).then_some(())
    })
    .await;
    let again = output_of(&run(&settings, &["ratings", "accept", &good]).await);
    assert!(again.contains("Not found"), "{again}");
}
