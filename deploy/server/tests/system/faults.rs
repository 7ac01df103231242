//! Promises that hold while parts of the system are unavailable: many processes, with proxies that can fail.

use std::time::{Duration, Instant};

use cityguide::Target;
use reqwest::StatusCode;
use serde_json::{Value, json};
use testkit::{outbox, until};

use crate::{
    app::{Browser, answer},
    site::Split,
    streams::Stream,
};

/// Signs a reader in at both gateways.
async fn two_devices(split: &Split) -> (Browser, Browser) {
    let (phone, laptop) = (split.browser(), split.browser());
    phone.sign_up("ada@example.com").await;
    laptop.sign_in("ada@example.com").await;
    (phone, laptop)
}

pub(crate) async fn last_update(browser: &Browser) -> Value {
    browser.json("/api/v2/profiles/hi/").await["last_updates"]["favourites"].clone()
}

/// Checks for a 503 with `Retry-After`.
pub(crate) async fn is_unavailable(browser: &Browser, path: &str) {
    let response = browser.get(path).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE, "{path}");
    assert!(response.headers().contains_key("retry-after"), "{path}");
}

pub(crate) async fn comes_back(browser: &Browser, path: &str) {
    until("it is answered again", async || {
        (browser.get(path).await.status() == StatusCode::OK).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_goes_away_again_and_again_loses_no_favourite_and_no_update() {
    let (split, faults) = Split::start_among_faults().await;
    let (phone, laptop) = two_devices(&split).await;
    let mut stream = Stream::open(&laptop).await;
    stream.next().await.expect("the state on connecting");
    let mut listing = 0;
    for _ in 0..3 {
        faults.broker.cut();
        let mut last = Value::Null;
        for browser in [&phone, &laptop, &phone, &laptop, &phone] {
            listing += 1;
            let posted = browser
                .post("/api/v2/favourites/", &json!({"listing": listing}))
                .await;
            let (status, record) = answer(posted).await;
            assert_eq!(status, 201, "{record}");
            last = record["server_time"].clone();
            // The instant is correct immediately at either gateway, regardless of the broker's state.
            assert_eq!(last_update(&phone).await, last);
            assert_eq!(last_update(&laptop).await, last);
        }
        faults.broker.restore();
        // The stream eventually receives the instant, by an event or because its gateway requests it again.
        while stream.next().await.expect("a stream")["last_updates"]["favourites"] != last {}
        outbox::assert_drains(&split.database, "bookmarks").await;
        until("identity's copy is right", async || {
            let me = phone.json("/api/v2/profiles/me/").await;
            (me["last_updates"]["favourites"] == last).then_some(())
        })
        .await;
    }
    assert_eq!(phone.json("/api/v2/favourites/").await["count"], listing);
}

#[tokio::test(flavor = "multi_thread")]
async fn far_and_narrow_servers_make_the_site_slower_and_nothing_wrong() {
    let (split, faults) = Split::start_among_faults().await;
    let (phone, laptop) = two_devices(&split).await;
    let proxies = [&faults.broker, &faults.cache, &faults.database];
    let mut listing = 0;
    let mut keep = async || {
        listing += 1;
        let body = json!({"listing": listing});
        let (status, record) = answer(phone.post("/api/v2/favourites/", &body).await).await;
        assert_eq!(status, 201, "{record}");
        assert_eq!(last_update(&laptop).await, record["server_time"]);
        until("identity's copy is right", async || {
            let me = laptop.json("/api/v2/profiles/me/").await;
            (me["last_updates"]["favourites"] == record["server_time"]).then_some(())
        })
        .await;
    };
    for proxy in proxies {
        proxy.slow(Duration::from_millis(60));
        keep().await;
        proxy.narrow(20_000);
        keep().await;
        proxy.restore();
    }
    let begun = Instant::now();
    faults.bookmarks.slow(Duration::from_millis(200));
    phone.json("/api/v2/favourites/").await;
    assert!(begun.elapsed() > Duration::from_millis(400), "it was slow");
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_that_are_reset_are_made_anew() {
    let (split, faults) = Split::start_among_faults().await;
    let (phone, laptop) = two_devices(&split).await;
    for (number, proxy) in [
        &faults.broker,
        &faults.cache,
        &faults.database,
        &faults.bookmarks,
    ]
    .into_iter()
    .enumerate()
    {
        proxy.reset();
        // No response in the meantime may be a 500.
        let met = phone.get("/api/v2/favourites/").await.status();
        assert!(
            [StatusCode::OK, StatusCode::SERVICE_UNAVAILABLE].contains(&met),
            "{met}"
        );
        proxy.restore();
        comes_back(&phone, "/api/v2/favourites/").await;
        let body = json!({"listing": number + 1});
        let (status, record) = answer(laptop.post("/api/v2/favourites/", &body).await).await;
        assert_eq!(status, 201, "{record}");
    }
    for schema in ["bookmarks", "places"] {
        outbox::assert_drains(&split.database, schema).await;
    }
    assert_eq!(phone.json("/api/v2/favourites/").await["count"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_the_site_browses_and_signs_in_and_out() {
    let (split, faults) = Split::start_among_faults().await;
    let (phone, _) = two_devices(&split).await;
    faults.cache.cut();
    let late = split.browser();
    late.sign_in("ada@example.com").await;
    for browser in [&phone, &late] {
        browser.json("/api/v2/listings/").await;
        assert!(browser.json("/api/v2/profiles/status/").await["id"].is_i64());
    }
    let path = "/api/v2/profiles/logout/v1/validate/";
    let out = late
        .request(reqwest::Method::POST, path)
        .send()
        .await
        .expect("answers");
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    assert!(late.json("/api/v2/profiles/status/").await["id"].is_null());
    faults.cache.restore();
    assert!(phone.json("/api/v2/profiles/status/").await["id"].is_i64());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_gone_or_stopped_is_503_and_browsing_is_unharmed() {
    let (split, faults) = Split::start_among_faults().await;
    let (phone, _) = two_devices(&split).await;
    let path = "/api/v2/favourites/";
    faults.bookmarks.cut();
    is_unavailable(&phone, path).await;
    phone.json("/api/v2/listings/").await;
    faults.bookmarks.restore();
    comes_back(&phone, path).await;

    faults.bookmarks.stall();
    let waiting = is_unavailable(&phone, path);
    let browsing = async {
        for _ in 0..20 {
            phone.json("/api/v2/listings/").await;
        }
    };
    tokio::join!(waiting, browsing);
    faults.bookmarks.restore();
    comes_back(&phone, path).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_goes_away_is_503_without_a_false_success_and_comes_back() {
    let (split, faults) = Split::start_among_faults().await;
    let (phone, laptop) = two_devices(&split).await;
    phone
        .post("/api/v2/favourites/", &json!({"listing": 1}))
        .await;
    faults.database.cut();
    for path in ["/api/v2/favourites/", "/api/v2/listings/?limit=1"] {
        is_unavailable(&phone, path).await;
    }
    let posted = phone
        .post("/api/v2/favourites/", &json!({"listing": 2}))
        .await;
    assert_eq!(posted.status(), StatusCode::SERVICE_UNAVAILABLE);
    faults.database.restore();
    comes_back(&phone, "/api/v2/favourites/").await;
    assert_eq!(laptop.json("/api/v2/favourites/").await["count"], 1);
    let again = phone
        .post("/api/v2/favourites/", &json!({"listing": 2}))
        .await;
    assert_eq!(again.status(), StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_editorial_what_it_alone_can_do_is_503_and_the_rest_goes_on() {
    let mut split = Split::start().await;
    let browser = split.browser();
    split.process(Target::Editorial).kill().await;
    is_unavailable(&browser, "/api/v2/events/7.ics").await;
    for path in ["/api/v2/contact/", "/api/v2/contests/7/entries/"] {
        let response = browser.post(path, &json!({})).await;
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE, "{path}");
        assert!(response.headers().contains_key("retry-after"), "{path}");
    }
    browser.json("/api/v2/listings/").await;
    split.process(Target::Editorial).start_again().await;
    let response = browser
        .post("/api/v2/contests/7/entries/", &json!({}))
        .await;
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
}
