//! Readers' accounts over HTTP: devices, passwords, addresses.

use std::{collections::BTreeMap, sync::Arc};

use chassis::clock::SystemClock;
use chrono::TimeDelta;
use reqwest::{Method, header::HeaderValue};
use serde_json::{Value, json};
use testkit::clock::ManualClock;

use crate::{
    app::{App, Browser, PASSWORD, answer, rate},
    letters::link,
    site::{Site, journeys},
};

const ADA: &str = "ada@example.com";
const NEW_PASSWORD: &str = "a streetcar in October";

const ME: &str = "/api/v2/profiles/me/";
const SESSIONS: &str = "/api/v2/profiles/me/sessions/";
const LOGIN: &str = "/api/v2/profiles/email-login/";
const RESET: &str = "/api/v2/profiles/reset-password/";
const CHECK_RESET: &str = "/api/v2/profiles/reset-password/check/";
const CONFIRM_RESET: &str = "/api/v2/profiles/reset-password/confirm/";
const CONFIRM_EMAIL: &str = "/api/v2/profiles/confirm-email/";

async fn post(browser: &Browser, path: &str, body: Value) -> (u16, Value) {
    answer(browser.post(path, &body).await).await
}

async fn log_in(site: &Site, email: &str, password: &str) -> u16 {
    let pair = json!({"email": email, "password": password});
    site.browser().post(LOGIN, &pair).await.status().as_u16()
}

async fn a_device_is_signed_out_from_another_one(site: &Site) {
    let (own, lost) = (site.browser(), site.browser());
    own.sign_up(ADA).await;
    lost.sign_in(ADA).await;
    let listed = own.json(SESSIONS).await;
    assert_eq!(listed["count"], 2, "{listed}");
    let fields: Vec<_> = listed["results"][0]
        .as_object()
        .expect("an object")
        .keys()
        .collect();
    assert_eq!(
        fields,
        ["id", "device", "date_created", "last_active", "is_current"]
    );
    let sessions = listed["results"].as_array().expect("a list");
    let of = |is_current: bool| {
        let mut found = sessions
            .iter()
            .filter(|one| one["is_current"] == is_current);
        let id = found.next().expect("one")["id"].to_string();
        assert!(found.next().is_none(), "{listed}");
        id
    };
    assert_eq!(
        own.delete(&format!("{SESSIONS}{}/", of(false)))
            .await
            .status(),
        204
    );
    assert_eq!(lost.get(ME).await.status(), 401);
    assert_eq!(own.get(ME).await.status(), 200);
    assert_eq!(
        own.delete(&format!("{SESSIONS}{}/", of(false)))
            .await
            .status(),
        404
    );
}

async fn a_forgotten_password_is_replaced_by_a_mailed_link(site: &Site) {
    let browser = site.browser();
    browser.sign_up(ADA).await;
    let (known, unknown) = (json!({"email": ADA}), json!({"email": "bob@example.com"}));
    assert_eq!(
        post(&site.browser(), RESET, known.clone()).await,
        (200, known)
    );
    assert_eq!(
        post(&site.browser(), RESET, unknown.clone()).await,
        (200, unknown)
    );
    let token = link(site, ADA, "Set a new password").await;
    let check = async || post(&site.browser(), CHECK_RESET, json!({"token": token})).await;
    // A check does not use the link.
    for _ in 0..2 {
        assert_eq!(check().await, (200, json!({"is_valid": true})));
    }
    let body = json!({"token": token, "new_password": NEW_PASSWORD});
    let (status, reset) = post(&site.browser(), CONFIRM_RESET, body.clone()).await;
    let access = json!({"has_password": true, "passkeys": [], "has_facebook": false, "has_calendar": false,
        "has_calendar_feed": false});
    assert_eq!(
        (status, reset),
        (200, json!({"email": ADA, "access": access}))
    );
    assert_eq!(check().await, (200, json!({"is_valid": false})));
    assert_eq!(browser.get(ME).await.status(), 401);
    assert_eq!(log_in(site, ADA, PASSWORD).await, 400);
    assert_eq!(log_in(site, ADA, NEW_PASSWORD).await, 200);
    let (status, again) = post(&site.browser(), CONFIRM_RESET, body).await;
    assert_eq!((status, &again["code"]), (400, &json!("invalid")));
    assert!(again["token"][0].is_string(), "{again}");
}

/// Returns a response's status, its headers except those that differ between requests, and its body.
async fn shown(
    browser: &Browser,
    path: &str,
    body: Value,
) -> (u16, BTreeMap<String, String>, Value) {
    let answered = browser.post(path, &body).await;
    let headers = answered.headers().iter();
    let headers = headers.filter(|(name, _)| !["date", "x-request-id"].contains(&name.as_str()));
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = headers.map(|(name, value)| (name.to_string(), text(value)));
    let headers = headers.collect();
    let (status, body) = answer(answered).await;
    (status, headers, body)
}

async fn known_and_unknown_addresses_get_the_same_answers(site: &Site) {
    site.browser().sign_up(ADA).await;
    for _ in 0..3 {
        for (path, body) in [
            (LOGIN, json!({"password": "not the password"})),
            (LOGIN, json!({"password": ""})),
            (RESET, json!({})),
        ] {
            let mut answers = Vec::new();
            // The addresses have the same length, so that the lengths of the responses can be compared too.
            for email in [ADA, "bob@example.com"] {
                let mut body = body.clone();
                body["email"] = json!(email);
                let (status, headers, mut answered) = shown(&site.browser(), path, body).await;
                // The response of the reset repeats the requested address.
                if let Some(repeated) = answered.get_mut("email").filter(|text| text.is_string()) {
                    assert_eq!(repeated.take(), json!(email));
                }
                answers.push((status, headers, answered));
            }
            assert_eq!(answers[0], answers[1], "{path}");
        }
    }
}

async fn a_password_is_changed_with_the_old_one(site: &Site) {
    let (own, other) = (site.browser(), site.browser());
    own.sign_up(ADA).await;
    other.sign_in(ADA).await;
    let path = "/api/v2/profiles/me/password/";
    let wrong = json!({"current_password": "wrong horse", "new_password": NEW_PASSWORD});
    let (status, refused) = post(&own, path, wrong).await;
    assert_eq!(status, 400);
    assert!(refused["current_password"][0].is_string(), "{refused}");
    let right = json!({"current_password": PASSWORD, "new_password": NEW_PASSWORD});
    let (status, profile) = post(&own, path, right).await;
    assert_eq!((status, &profile["email"]), (200, &json!(ADA)));
    assert_eq!(
        (own.get(ME).await.status(), other.get(ME).await.status()),
        (
            200.try_into().expect("a status"),
            401.try_into().expect("a status")
        )
    );
    assert_eq!(log_in(site, ADA, NEW_PASSWORD).await, 200);
}

async fn an_address_is_confirmed_and_changed_by_mailed_links(site: &Site) {
    let browser = site.browser();
    browser.sign_up(ADA).await;
    let profile = browser.json(ME).await;
    assert_eq!(
        (&profile["email_verified"], &profile["pending_email"]),
        (&json!(false), &Value::Null)
    );
    let token = link(site, ADA, "Confirm").await;
    // On another device, the owner of the address must first choose what happens to the account's sign-in methods.
    for (choice, is_confirmed) in [(Value::Null, false), (json!("keep"), true)] {
        let body = json!({"token": token, "access": choice});
        let (status, opened) = post(&site.browser(), CONFIRM_EMAIL, body).await;
        assert_eq!((status, &opened["email"]), (200, &json!(ADA)));
        assert_eq!(opened["is_confirmed"], is_confirmed);
        assert_eq!(browser.json(ME).await["email_verified"], is_confirmed);
    }
    assert_eq!(browser.json(ME).await["email_verified"], true);
    let new = "ada@example.org";
    let change = json!({"full_name": "Ada Lovelace", "email": new});
    let (status, changed) = answer(browser.patch(ME, &change).await).await;
    assert_eq!((status, &changed["pending_email"]), (200, &json!(new)));
    assert_eq!(
        (
            &changed["email"],
            &changed["first_name"],
            &changed["last_name"]
        ),
        (&json!(ADA), &json!("Ada"), &json!("Lovelace"))
    );
    let token = link(site, new, "Confirm").await;
    post(&browser, CONFIRM_EMAIL, json!({"token": token})).await;
    let profile = browser.json(ME).await;
    assert_eq!(
        (&profile["email"], &profile["pending_email"]),
        (&json!(new), &Value::Null)
    );
    assert_eq!(log_in(site, new, PASSWORD).await, 200);
    assert_eq!(log_in(site, ADA, PASSWORD).await, 400);
}

async fn the_owner_of_an_address_ends_the_access_of_a_stranger(site: &Site) {
    let stranger = site.browser();
    stranger.sign_up(ADA).await;
    let feed = post(&stranger, "/api/v2/profiles/me/calendar-feed/", json!({})).await;
    assert_eq!(feed.0, 201);
    let token = link(site, ADA, "Confirm").await;
    let owner = site.browser();
    let body = json!({"token": token, "access": "nonsense"});
    assert_eq!(post(&owner, CONFIRM_EMAIL, body).await.0, 400);
    let (status, ended) = post(
        &owner,
        CONFIRM_EMAIL,
        json!({"token": token, "access": "end"}),
    )
    .await;
    assert_eq!((status, &ended["is_confirmed"]), (200, &json!(true)));
    assert_eq!(ended["access"]["has_password"], false);
    assert_eq!(stranger.get(ME).await.status(), 401);
    let feed = feed.1["url"].as_str().expect("an address");
    let (_, path) = feed.split_once("/calendar/").expect("a path");
    assert_eq!(owner.get(&format!("/calendar/{path}")).await.status(), 404);
    assert_eq!(log_in(site, ADA, PASSWORD).await, 400);
    let body = json!({"token": ended["password_token"], "new_password": NEW_PASSWORD});
    assert_eq!(post(&owner, CONFIRM_RESET, body).await.0, 200);
    assert_eq!(log_in(site, ADA, NEW_PASSWORD).await, 200);
}

async fn the_calendar_choice_has_three_states_and_touches_nothing_else(site: &Site) {
    let browser = site.browser();
    browser.sign_up(ADA).await;
    let choose = async |choice: Value| {
        let request = browser.request(Method::PUT, ME).json(&choice);
        answer(request.send().await.expect("answers")).await
    };
    let unset = browser.json(ME).await;
    assert_eq!(unset["calendar_sync"], Value::Null);
    for refused in [
        json!({}),
        json!({"calendar_sync": null}),
        json!({"calendar_sync": "yes"}),
    ] {
        let (status, body) = choose(refused).await;
        assert_eq!(status, 400);
        assert!(body["calendar_sync"].is_array(), "{body}");
    }
    assert_eq!(browser.json(ME).await, unset);
    for choice in [true, false] {
        let body = json!({"calendar_sync": choice, "full_name": "Somebody Else"});
        let mut expected = unset.clone();
        expected["calendar_sync"] = json!(choice);
        assert_eq!(choose(body).await, (200, expected.clone()));
        // Other changes of the profile keep the calendar choice.
        let name = json!({"full_name": unset["full_name"]});
        assert_eq!(browser.patch(ME, &name).await.status(), 200);
        assert_eq!(browser.json(ME).await, expected);
    }
}

journeys! {
    the_calendar_choice_has_three_states_and_touches_nothing_else,
    a_device_is_signed_out_from_another_one,
    a_forgotten_password_is_replaced_by_a_mailed_link,
    known_and_unknown_addresses_get_the_same_answers,
    a_password_is_changed_with_the_old_one,
    an_address_is_confirmed_and_changed_by_mailed_links,
    the_owner_of_an_address_ends_the_access_of_a_stranger,
}

#[tokio::test]
async fn changes_of_sign_in_methods_require_a_recent_sign_in() {
    const FEED: &str = "/api/v2/profiles/me/calendar-feed/";
    const PASSKEYS: &str = "/api/v2/profiles/passkeys/";
    let clock = ManualClock::shared();
    let app = App::start_at(clock.clone()).await;
    let browser = app.browser();
    browser.sign_up(ADA).await;
    assert_eq!(post(&browser, FEED, json!({})).await.0, 201);
    clock.advance(TimeDelta::minutes(5));
    let before = browser.json(ME).await;

    let email = json!({"email": "new@example.com"});
    let registration = json!({"for": "registration", "ceremony": "x", "credential": {}});
    for (method, path, body) in [
        (Method::PATCH, ME, &email),
        (Method::POST, FEED, &json!({})),
        (Method::DELETE, FEED, &json!({})),
        (
            Method::POST,
            "/api/v2/profiles/passkeys/options/",
            &registration,
        ),
        (Method::POST, PASSKEYS, &registration),
        (
            Method::DELETE,
            "/api/v2/profiles/me/passkeys/1/",
            &json!({}),
        ),
        (Method::DELETE, "/api/v2/profiles/me/facebook/", &json!({})),
    ] {
        let request = browser.request(method.clone(), path).json(body);
        let (status, refused) = answer(request.send().await.expect("answers")).await;
        assert_eq!(
            (status, &refused["code"]),
            (403, &json!("fresh_proof_required")),
            "{method} {path}: {refused}"
        );
    }
    assert_eq!(browser.json(ME).await, before);
    assert!(browser.json(FEED).await["url"].is_string());
    let name = json!({"full_name": "Ada King"});
    assert_eq!(browser.patch(ME, &name).await.status(), 200);

    browser.sign_in(ADA).await;
    assert_eq!(browser.patch(ME, &email).await.status(), 200);
    assert_eq!(browser.delete(FEED).await.status(), 204);
}

#[tokio::test]
async fn a_stolen_session_cannot_find_the_password_out() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        settings.limits.failed_sign_in = rate("5/h");
    })
    .await;
    let browser = app.browser();
    browser.sign_up(ADA).await;
    let change = async |current: &str| {
        let body = json!({"current_password": current, "new_password": NEW_PASSWORD});
        let answer = browser.post("/api/v2/profiles/me/password/", &body).await;
        answer.status().as_u16()
    };
    for _ in 0..5 {
        assert_eq!(change("wrong horse").await, 400);
    }
    assert_eq!(change(PASSWORD).await, 429);
}

#[tokio::test]
async fn mails_with_links_are_limited_by_client_and_by_account() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        settings.limits.mailed_links = rate("2/h");
    })
    .await;
    let (reader, guest) = (app.browser(), app.browser());
    reader.sign_up(ADA).await;
    let send = "/api/v2/profiles/me/email-confirmation/";
    let reset = async || {
        guest
            .post(RESET, &json!({"email": ADA}))
            .await
            .status()
            .as_u16()
    };
    let again = async || reader.post(send, &json!({})).await.status().as_u16();
    assert_eq!(
        [reset().await, reset().await, reset().await],
        [200, 200, 429]
    );
    assert_eq!([again().await, again().await], [204, 204]);
    let change = reader.patch(ME, &json!({"email": "ada@example.org"})).await;
    assert_eq!(change.status(), 429);
    let name = reader.patch(ME, &json!({"full_name": "Ada"})).await;
    assert_eq!(name.status(), 200);
}
