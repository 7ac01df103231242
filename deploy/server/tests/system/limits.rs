//! Rate limits over HTTP: counted calls and clients.

use std::sync::Arc;

use chassis::clock::SystemClock;
use cityguide::Settings;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use testkit::clock::ManualClock;

use crate::app::{App, Browser, rate, registration};

pub(crate) const LOGIN: &str = "/api/v2/profiles/email-login/";
const REGISTRATION: &str = "/api/v2/profiles/email-registration/";
pub(crate) const FAVOURITES: &str = "/api/v2/favourites/";

/// The tests' own machine counts as a proxy, so that each browser can have its own address.
pub(crate) fn behind_a_proxy(settings: &mut Settings) {
    settings.http.trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network")];
}

async fn post_from(browser: &Browser, address: &str, path: &str, body: &Value) -> Response {
    let request = browser.request(Method::POST, path);
    let request = request.header("x-forwarded-for", address).json(body);
    request.send().await.expect("answers")
}

pub(crate) async fn login_from(
    browser: &Browser,
    address: &str,
    email: &str,
    password: &str,
) -> Response {
    let body = json!({"email": email, "password": password});
    post_from(browser, address, LOGIN, &body).await
}

pub(crate) fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers()[name].to_str().expect("text")
}

#[tokio::test]
async fn an_address_counts_only_where_a_proxy_of_ours_wrote_it() {
    let limit = |settings: &mut Settings| settings.limits.sign_in = rate("2/h");
    let app = App::start_with(Arc::new(SystemClock), limit).await;
    let browser = app.browser();
    let status = async |address: &str| {
        let response = login_from(&browser, address, "ada@example.com", "wrong").await;
        response.status().as_u16()
    };
    assert_eq!(status("203.0.113.1").await, 400);
    assert_eq!(status("203.0.113.2").await, 400);
    assert_eq!(
        status("203.0.113.3").await,
        429,
        "anyone can send the header"
    );

    let app = App::start_with(Arc::new(SystemClock), |settings| {
        behind_a_proxy(settings);
        limit(settings);
    })
    .await;
    let browser = app.browser();
    let status = async |address: &str| {
        let response = login_from(&browser, address, "ada@example.com", "wrong").await;
        response.status().as_u16()
    };
    for (address, expected) in [
        ("203.0.113.1", 400),
        ("203.0.113.2", 400),
        // Addresses that the client itself prepends are ignored.
        ("198.51.100.7, 203.0.113.1", 400),
        ("198.51.100.8, 203.0.113.1", 429),
        ("203.0.113.1, 127.0.0.2", 429),
        // One network of 64 bits is one client.
        ("2001:db8:1:2::1", 400),
        ("2001:db8:1:2::2", 400),
        ("2001:db8:1:2:ffff::3", 429),
        ("2001:db8:1:3::1", 400),
        // Without a valid entry, the proxy counts as the client.
        ("nonsense", 400),
        ("", 400),
        ("203.0.113.4, unknown", 429),
    ] {
        assert_eq!(status(address).await, expected, "{address}");
    }
}

#[tokio::test]
async fn registrations_and_writes_have_buckets_of_their_own() {
    let clock = ManualClock::shared();
    let app = App::start_with(clock.clone(), |settings| {
        behind_a_proxy(settings);
        settings.limits.registration = rate("5/h");
        settings.limits.writes = rate("4/min");
        settings.limits.sign_in = rate("1/h");
    })
    .await;
    let mut readers = Vec::new();
    for number in 0..5 {
        let browser = app.browser();
        let body = registration(&format!("reader{number}@example.com"));
        let response = post_from(&browser, "203.0.113.9", REGISTRATION, &body).await;
        assert_eq!(response.status(), StatusCode::CREATED);
        assert_eq!(
            header(&response, "ratelimit-policy"),
            "\"registration\";q=5;w=3600"
        );
        readers.push(browser);
    }
    let late = app.browser();
    let body = registration("late@example.com");
    let response = post_from(&late, "203.0.113.9", REGISTRATION, &body).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(header(&response, "retry-after"), "720");
    let response = post_from(&late, "203.0.113.10", REGISTRATION, &body).await;
    assert_eq!(response.status(), StatusCode::CREATED);

    let [ada, bob] = [&readers[0], &readers[1]];
    let write = async |browser: &Browser| browser.post(FAVOURITES, &json!({"listing": 1})).await;
    for left in (1..4).rev() {
        let response = write(ada).await;
        assert!(response.status().is_success());
        assert!(header(&response, "ratelimit").starts_with(&format!("\"writes\";r={left};")));
    }
    let map = ada.json("/api/v2/favourites/listing_ids/").await;
    let record = format!("{FAVOURITES}{}/", map["results"][0]["id"]);
    assert_eq!(ada.delete(&record).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(write(ada).await.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(
        ada.delete(&record).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );
    // Reads, deleting the account, and all other readers are not limited.
    assert_eq!(ada.json(FAVOURITES).await["count"], 0);
    assert!(write(bob).await.status().is_success());
    let out = ada
        .post("/api/v2/profiles/logout/v1/validate/", &json!({}))
        .await;
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    // A guest's write does not count for an account.
    let guest = write(&app.browser()).await;
    assert_eq!(guest.status(), StatusCode::UNAUTHORIZED);
    assert!(!guest.headers().contains_key("ratelimit"));
}

#[tokio::test]
async fn a_guest_writes_as_often_as_an_account_and_neither_counts_for_the_other() {
    let app = App::start_with(ManualClock::shared(), |settings| {
        behind_a_proxy(settings);
        settings.limits.writes = rate("2/h");
    })
    .await;
    let guest = app.browser();
    let enter = async |browser: &Browser, address: &str| {
        let path = "/api/v2/profiles/passkeys/options/";
        post_from(browser, address, path, &json!({"for": "sign-in"})).await
    };
    // The site has no passkeys, but the attempt counts.
    for left in ["1", "0"] {
        let response = enter(&guest, "203.0.113.9").await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        let expected = format!("\"writes\";r={left};");
        assert!(header(&response, "ratelimit").starts_with(&expected));
    }
    let refused = enter(&guest, "203.0.113.9").await;
    assert_eq!(header(&refused, "retry-after"), "1800");
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    let other = enter(&guest, "203.0.113.10").await;
    assert_eq!(other.status(), StatusCode::NOT_FOUND);
    let reader = app.browser();
    reader.sign_up("ada@example.com").await;
    for expected in [404, 404, 429] {
        let response = enter(&reader, "203.0.113.9").await;
        assert_eq!(response.status().as_u16(), expected);
    }
}

#[tokio::test]
async fn limits_count_accepted_messages_and_requests_for_mail_and_invalid_ones_are_writes() {
    let app = App::start_with(ManualClock::shared(), |settings| {
        behind_a_proxy(settings);
        settings.limits.contact = rate("5/h");
        settings.limits.guest_newsletters = rate("5/h");
        settings.limits.mailed_links = rate("5/h");
        settings.limits.registration = rate("5/h");
        settings.limits.writes = rate("28/h");
    })
    .await;
    let browser = app.browser();
    let message =
        json!({"name": "Ada", "email": "ada@example.com", "subject": "Hello", "message": "Hello."});
    let with = |body: &Value, field: &str, value: &str| {
        let mut body = body.clone();
        body[field] = value.into();
        body
    };
    let say = async |address: &str, path: &str, body: &Value| {
        let response = post_from(&browser, address, path, body).await;
        let limit = header(&response, "ratelimit").to_owned();
        (response.status().as_u16(), limit)
    };
    let newsletter = json!({"email": "ada@example.com", "type": "foods"});
    for (name, path, valid, invalid, status) in [
        (
            "contact",
            "/api/v2/contact/",
            &message,
            with(&message, "email", "ada@example"),
            201,
        ),
        (
            "guest-newsletters",
            "/api/v2/profiles/guest-newsletters/",
            &newsletter,
            with(&newsletter, "email", "ada"),
            200,
        ),
        (
            "mailed-links",
            "/api/v2/profiles/reset-password/",
            &json!({"email": "ada@example.com"}),
            json!({"email": "ada"}),
            200,
        ),
    ] {
        for _ in 0..7 {
            let (status, limit) = say("203.0.113.9", path, &invalid).await;
            assert_eq!(status, 400, "{path}");
            assert!(limit.starts_with("\"writes\";r="), "{limit}");
        }
        for left in (0..5).rev() {
            let (found, limit) = say("203.0.113.9", path, valid).await;
            assert_eq!(found, status, "{path}");
            let expected = format!("\"{name}\";r={left};");
            assert!(limit.starts_with(&expected), "{limit}");
        }
        let refused = post_from(&browser, "203.0.113.9", path, valid).await;
        assert_eq!(header(&refused, "retry-after"), "720");
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(say("203.0.113.10", path, valid).await.0, status);
    }

    // For a registration, an error of the address counts, because it may reveal that an account has the address.
    let easy = with(&registration("ada@example.com"), "password", "password");
    for _ in 0..7 {
        assert_eq!(say("203.0.113.9", REGISTRATION, &easy).await.0, 400);
    }
    let address = registration("ada");
    for _ in 0..5 {
        assert_eq!(say("203.0.113.9", REGISTRATION, &address).await.0, 400);
    }
    assert_eq!(say("203.0.113.9", REGISTRATION, &address).await.0, 429);
    // 28 invalid calls precede this call.
    let contact = with(&message, "email", "ada");
    let (status, limit) = say("203.0.113.9", "/api/v2/contact/", &contact).await;
    assert_eq!(status, 429, "{limit}");
}
