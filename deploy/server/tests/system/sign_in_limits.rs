//! Limits of signing in over HTTP, for unknown devices and for an account's known devices.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chassis::clock::SystemClock;
use chrono::TimeDelta;
use futures::future::{Either, select};
use reqwest::{Method, Response, StatusCode};
use serde_json::json;
use testkit::clock::ManualClock;

use crate::{
    app::{App, Browser, PASSWORD, answer, rate},
    limits::{FAVOURITES, LOGIN, behind_a_proxy, header, login_from},
};

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

    // Responses of calls without a limit have no headers about limits.
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

    // The right password is refused too, in every spelling of the address; from other addresses it is accepted.
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
        // A known device can sign in even if the flood comes from the reader's own address.
        for address in ["192.0.2.2", "203.0.113.1"] {
            let response = login_from(known, address, "ada@example.com", PASSWORD).await;
            assert_eq!(response.status(), StatusCode::OK);
        }
    }

    // A known device has the same number of attempts at any address and shares them with no other device.
    for number in 0..6 {
        let address = format!("198.51.100.{number}");
        let response = login_from(&phone, &address, "ada@example.com", "wrong").await;
        let expected = if number < 5 { 400 } else { 429 };
        assert_eq!(response.status().as_u16(), expected);
    }
    let response = login_from(&laptop, "192.0.2.2", "ada@example.com", PASSWORD).await;
    assert_eq!(response.status(), StatusCode::OK);
    // The cookie has no effect for another account.
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
    // Allowed are four networks of 64 bits in each network of 56 bits, and four networks of 56 bits in a network of 48
    // bits.
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
    let sign_in = async |browser: Browser| {
        let response = login_from(&browser, "192.0.2.1", "ada@example.com", PASSWORD).await;
        assert_eq!(response.status(), StatusCode::OK);
    };
    let begun = Instant::now();
    let (stranger, device) = (Box::pin(sign_in(app.browser())), Box::pin(sign_in(known)));
    // Apart from the stranger's wait, both sign-ins take the same work, so the comparison does not depend on the
    // machine.
    let Either::Right(((), stranger)) = select(stranger, device).await else {
        panic!("the known device waited longer than the stranger");
    };
    stranger.await;
    assert!(begun.elapsed() >= Duration::from_secs(2));
}
