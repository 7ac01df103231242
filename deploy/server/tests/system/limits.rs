//! Limits over HTTP: what is counted, and for whom.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chassis::clock::SystemClock;
use chrono::TimeDelta;
use cityguide::Settings;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use testkit::clock::ManualClock;

use crate::app::{App, Browser, PASSWORD, answer, rate, registration};

const LOGIN: &str = "/api/v2/profiles/email-login/";
const REGISTRATION: &str = "/api/v2/profiles/email-registration/";
const FAVOURITES: &str = "/api/v2/favourites/";

/// The tests' own machine counts as a proxy, so that each browser can be at an address of its own.
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

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers()[name].to_str().expect("text")
}

#[tokio::test]
async fn sign_ins_are_counted_by_client_and_told_on_each_answer() {
    let clock = ManualClock::shared();
    let app = App::start_with(clock.clone(), |settings| {
        behind_a_proxy(settings);
        settings.limits.sign_in = rate("10/min");
    })
    .await;
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    for left in (0..10).rev() {
        let response = login_from(&browser, "203.0.113.9", "ada@example.com", PASSWORD).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(
            header(&response, "ratelimit-policy"),
            "\"sign-in\";q=10;w=60"
        );
        let expected = format!("\"sign-in\";r={left};t={}", 6 * (10 - left));
        assert_eq!(header(&response, "ratelimit"), expected);
    }
    let refused = login_from(&browser, "203.0.113.9", "ada@example.com", PASSWORD).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(header(&refused, "retry-after"), "6");
    assert_eq!(header(&refused, "ratelimit"), "\"sign-in\";r=0;t=60");
    assert_eq!(header(&refused, "cache-control"), "private, no-store");
    let expected = json!({"code": "rate_limited",
        "detail": "Too many tries. Please try again in 6 seconds."});
    assert_eq!(answer(refused).await, (429, expected));

    let other = login_from(&browser, "203.0.113.10", "ada@example.com", PASSWORD).await;
    assert_eq!(other.status(), StatusCode::OK);
    clock.advance(TimeDelta::seconds(6));
    for expected in [200, 429] {
        let again = login_from(&browser, "203.0.113.9", "ada@example.com", PASSWORD).await;
        assert_eq!(again.status().as_u16(), expected);
    }

    let problem = browser
        .request(Method::POST, LOGIN)
        .header("accept", "application/problem+json")
        .header("x-forwarded-for", "203.0.113.9")
        .json(&json!({}));
    let problem = problem.send().await.expect("answers");
    assert_eq!(header(&problem, "content-type"), "application/problem+json");
    assert_eq!(header(&problem, "retry-after"), "6");
    assert!(header(&problem, "ratelimit").starts_with("\"sign-in\";r=0;"));
    let (status, body) = answer(problem).await;
    assert_eq!(
        (status, &body["title"], &body["code"]),
        (429, &json!("Too Many Requests"), &json!("rate_limited"))
    );

    // Calls without a limit say nothing of limits.
    for path in [
        "/",
        "/api/v2/listings/",
        "/api/v2/profiles/status/",
        FAVOURITES,
    ] {
        let response = browser.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert!(!response.headers().contains_key("ratelimit"), "{path}");
    }
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
        // Addresses that the client itself put in front are not read.
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
async fn failures_are_counted_by_account_and_client_alike_for_unknown_accounts() {
    let clock = ManualClock::shared();
    let app = App::start_with(clock.clone(), |settings| {
        behind_a_proxy(settings);
        settings.limits.failed_sign_in = rate("5/5min");
    })
    .await;
    app.browser().sign_up("ada@example.com").await;
    let stranger = app.browser();
    let mut heard = Vec::new();
    for email in ["ada@example.com", "nobody@example.com"] {
        let mut answers = Vec::new();
        for _ in 0..7 {
            let response = login_from(&stranger, "203.0.113.9", email, "wrong").await;
            let expected =
                ["ratelimit-policy", "ratelimit"].map(|name| header(&response, name).to_owned());
            answers.push((answer(response).await, expected));
        }
        let statuses: Vec<u16> = answers.iter().map(|((status, _), _)| *status).collect();
        assert_eq!(statuses, [400, 400, 400, 400, 400, 429, 429], "{email}");
        assert!(
            answers[0].1[0].ends_with(", \"failed-sign-in\";q=5;w=300"),
            "{answers:?}"
        );
        assert!(
            answers[0].1[1].ends_with(", \"failed-sign-in\";r=4;t=60"),
            "{answers:?}"
        );
        heard.push(
            answers
                .into_iter()
                .map(|(answer, _)| answer)
                .collect::<Vec<_>>(),
        );
    }
    assert_eq!(
        heard[0], heard[1],
        "nobody learns whether there is an account"
    );

    // The right password too, and however the address is written; from elsewhere it is let in.
    for (address, email, expected) in [
        ("203.0.113.9", "ada@example.com", 429),
        ("203.0.113.9", "  ADA@Example.com ", 429),
        ("203.0.113.10", "ada@example.com", 200),
    ] {
        let response = login_from(&stranger, address, email, PASSWORD).await;
        assert_eq!(response.status().as_u16(), expected, "{address} {email}");
    }
    clock.advance(TimeDelta::minutes(1));
    for expected in [400, 429] {
        let again = login_from(&app.browser(), "203.0.113.9", "nobody@example.com", "wrong").await;
        assert_eq!(again.status().as_u16(), expected);
    }
}

#[tokio::test]
async fn what_is_no_wrong_password_is_no_failure() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        settings.limits.failed_sign_in = rate("2/h");
        settings.limits.failed_sign_in_everywhere = rate("2/h");
    })
    .await;
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    for _ in 0..4 {
        app.browser().sign_in("ada@example.com").await;
        for (email, password) in [("", ""), ("", "x"), ("ada@example.com", "")] {
            let response = login_from(&app.browser(), "", email, password).await;
            let (status, body) = answer(response).await;
            assert_eq!(status, 400, "{body}");
            assert!(body.get("non_field_errors").is_none(), "{body}");
        }
    }
}

#[tokio::test]
async fn a_flood_on_an_account_keeps_strangers_out_and_its_readers_devices_in() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        behind_a_proxy(settings);
        settings.limits.failed_sign_in = rate("5/5min");
        settings.limits.failed_sign_in_everywhere = rate("12/5min");
    })
    .await;
    let (phone, laptop) = (app.browser(), app.browser());
    phone.sign_up("ada@example.com").await;
    laptop.sign_in("ada@example.com").await;
    let device = |response: &Response| {
        let set = response.headers().get_all("set-cookie").iter();
        let mut cookies = set.map(|cookie| cookie.to_str().expect("text").to_owned());
        cookies.find(|cookie| cookie.starts_with("device="))
    };
    let again = login_from(&laptop, "198.51.100.1", "ada@example.com", PASSWORD).await;
    let cookie = device(&again).expect("a known device");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
        "{cookie}"
    );
    assert!(
        !cookie.contains("example") && !cookie.contains("Secure"),
        "{cookie}"
    );

    let bot = app.browser();
    let mut wrong = 0;
    for number in 0..30 {
        let address = format!("203.0.113.{number}");
        let response = login_from(&bot, &address, "ada@example.com", "wrong").await;
        assert!(device(&response).is_none());
        wrong += u32::from(response.status() == StatusCode::BAD_REQUEST);
    }
    assert_eq!(wrong, 12);
    let stranger = login_from(&app.browser(), "192.0.2.1", "ada@example.com", PASSWORD).await;
    assert_eq!(stranger.status(), StatusCode::TOO_MANY_REQUESTS);
    for known in [&phone, &laptop] {
        // Even where the flood comes from the reader's own address.
        for address in ["192.0.2.2", "203.0.113.1"] {
            let response = login_from(known, address, "ada@example.com", PASSWORD).await;
            assert_eq!(response.status(), StatusCode::OK);
        }
    }

    // A known device has as many attempts, wherever it is, and shares none with its neighbour.
    for number in 0..6 {
        let address = format!("198.51.100.{number}");
        let response = login_from(&phone, &address, "ada@example.com", "wrong").await;
        let expected = if number < 5 { 400 } else { 429 };
        assert_eq!(response.status().as_u16(), expected);
    }
    let response = login_from(&laptop, "192.0.2.2", "ada@example.com", PASSWORD).await;
    assert_eq!(response.status(), StatusCode::OK);
    // The cookie is void for another account.
    app.browser().sign_up("bob@example.com").await;
    for number in 0..12 {
        let address = format!("203.0.113.{number}");
        login_from(&bot, &address, "bob@example.com", "wrong").await;
    }
    let response = login_from(&laptop, "192.0.2.2", "bob@example.com", PASSWORD).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_customer_with_many_networks_has_no_bucket_for_each() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        behind_a_proxy(settings);
        settings.limits.sign_in = rate("1/h");
    })
    .await;
    let browser = app.browser();
    let status = async |network: &str| {
        let address = format!("2001:db8:{network}::1");
        let response = login_from(&browser, &address, "ada@example.com", "wrong").await;
        response.status().as_u16()
    };
    // Four networks of 64 bits for each of 56, and four of those for one of 48.
    for outer in 0..4 {
        for inner in 0..5 {
            let expected = if inner < 4 { 400 } else { 429 };
            let network = format!("1:{outer}0{inner}");
            assert_eq!(status(&network).await, expected, "{network}");
        }
    }
    assert_eq!(status("1:400").await, 429);
    assert_eq!(status("2:0").await, 400);
}

#[tokio::test]
async fn while_sign_ins_fail_everywhere_strangers_wait_and_known_devices_do_not() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        behind_a_proxy(settings);
        settings.limits.failed_sign_in_overall = rate("2/h");
    })
    .await;
    let known = app.browser();
    known.sign_up("ada@example.com").await;
    for (address, email) in [
        ("203.0.113.1", "bob@example.com"),
        ("203.0.113.2", "eve@example.com"),
    ] {
        let response = login_from(&app.browser(), address, email, "wrong").await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    }
    let signed_in_after = async |browser: &Browser| {
        let begun = Instant::now();
        let response = login_from(browser, "192.0.2.1", "ada@example.com", PASSWORD).await;
        assert_eq!(response.status(), StatusCode::OK);
        begun.elapsed()
    };
    let stranger = signed_in_after(&app.browser()).await;
    assert!(stranger >= Duration::from_secs(2), "{stranger:?}");
    let device = signed_in_after(&known).await;
    assert!(device < stranger, "{device:?}");
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
    // Reading goes on, leaving does, and so does everybody else.
    assert_eq!(ada.json(FAVOURITES).await["count"], 0);
    assert!(write(bob).await.status().is_success());
    let out = ada
        .post("/api/v2/profiles/logout/v1/validate/", &json!({}))
        .await;
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    // A guest's write is nobody's.
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
        let path = "/api/v2/contests/7/entries/";
        post_from(browser, address, path, &json!({})).await
    };
    // There is no such contest, but the try counts.
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

    // Of a registration, an error of the address counts: it may say that an account has it.
    let easy = with(&registration("ada@example.com"), "password", "password");
    for _ in 0..7 {
        assert_eq!(say("203.0.113.9", REGISTRATION, &easy).await.0, 400);
    }
    let address = registration("ada");
    for _ in 0..5 {
        assert_eq!(say("203.0.113.9", REGISTRATION, &address).await.0, 400);
    }
    assert_eq!(say("203.0.113.9", REGISTRATION, &address).await.0, 429);
    // By now there were 28 invalid calls.
    let contact = with(&message, "email", "ada");
    let (status, limit) = say("203.0.113.9", "/api/v2/contact/", &contact).await;
    assert_eq!(status, 429, "{limit}");
}
