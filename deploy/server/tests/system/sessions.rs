//! Signing up, in and out.

use chrono::TimeDelta;
use reqwest::{Method, StatusCode, header::SET_COOKIE};
use serde_json::{Value, json};
use testkit::clock::ManualClock;

use crate::app::{App, PASSWORD, answer, registration};
use crate::site::{Site, journeys};

fn cookies(response: &reqwest::Response) -> Vec<String> {
    let values = response.headers().get_all(SET_COOKIE).iter();
    values
        .map(|value| value.to_str().expect("text").to_owned())
        .collect()
}

async fn a_sign_up_begins_a_session_that_scripts_cannot_read(app: &Site) {
    let browser = app.browser();
    let response = browser
        .post(
            "/api/v2/profiles/email-registration/",
            &registration("ada@example.com"),
        )
        .await;
    let set = cookies(&response);
    assert_eq!(set.len(), 3, "{set:?}");
    assert!(
        set[0].starts_with("session=") && set[0].contains("HttpOnly"),
        "{set:?}"
    );
    assert!(
        set[1].starts_with("signed_in=1") && !set[1].contains("HttpOnly"),
        "{set:?}"
    );
    assert!(
        set[2].starts_with("device=") && set[2].contains("HttpOnly"),
        "{set:?}"
    );
    // The session's cookies last 5 days after the last activity; the device's cookie lasts a year.
    for (cookie, age) in set.iter().zip(["432000", "432000", "31536000"]) {
        assert!(
            cookie.contains("SameSite=Lax") && cookie.contains("Path=/"),
            "{cookie}"
        );
        assert!(
            cookie.contains(&format!("Max-Age={age}")) && !cookie.contains("Secure"),
            "{cookie}"
        );
    }
    let (_, body) = answer(response).await;
    let status = browser.json("/api/v2/profiles/status/").await;
    assert_eq!(status["id"], body["id"]);
    let me = browser.json("/api/v2/profiles/me/").await;
    assert_eq!(
        (
            &me["first_name"],
            &me["last_name"],
            &me["email"],
            &me["email_verified"]
        ),
        (
            &json!("Ada"),
            &json!("King"),
            &json!("ada@example.com"),
            &json!(false)
        )
    );
}

async fn each_field_at_fault_is_told_and_a_taken_address_too(app: &Site) {
    let browser = app.browser();
    let (status, body) = answer(
        browser
            .post("/api/v2/profiles/email-registration/", &json!({}))
            .await,
    )
    .await;
    assert_eq!(status, 400);
    for field in ["full_name", "email", "password"] {
        assert_eq!(
            body[field],
            json!(["This field may not be blank."]),
            "{body}"
        );
    }
    let mut wrong = registration("ada@example.com");
    wrong["password_repeat"] = json!("another");
    let (status, body) = answer(
        browser
            .post("/api/v2/profiles/email-registration/", &wrong)
            .await,
    )
    .await;
    let message = json!(["The two passwords fields didn't match."]);
    assert_eq!((status, &body["password_repeat"]), (400, &message));
    browser.sign_up("ada@example.com").await;
    let path = "/api/v2/profiles/email-registration/";
    let again = app
        .browser()
        .post(path, &registration("ADA@example.com"))
        .await;
    let (status, body) = answer(again).await;
    assert_eq!(status, 400);
    assert!(body["email"].is_array(), "{body}");
}

async fn a_wrong_pair_is_told_alike_for_known_and_unknown_addresses(app: &Site) {
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    let login = async |email: &str, password: &str| {
        let body = json!({"email": email, "password": password});
        answer(
            app.browser()
                .post("/api/v2/profiles/email-login/", &body)
                .await,
        )
        .await
    };
    let known = login("ada@example.com", "wrong").await;
    assert_eq!(known, login("bob@example.com", "wrong").await);
    assert_eq!(known, login("no address", "wrong").await);
    assert!(
        known.0 == 400 && known.1["non_field_errors"].is_array(),
        "{known:?}"
    );
    let (status, body) = login("", "").await;
    let blank = json!(["This field may not be blank."]);
    assert_eq!(
        (status, &body["email"], &body["password"]),
        (400, &blank, &blank)
    );
    assert_eq!(login("ada@example.com", PASSWORD).await.0, 200);
}

async fn signing_in_again_or_up_ends_the_session_before(app: &Site) {
    let browser = app.browser();
    let sign_up = async |email| {
        let path = "/api/v2/profiles/email-registration/";
        let answer = browser.post(path, &registration(email)).await;
        let cookies = cookies(&answer);
        cookies[0].split(';').next().expect("a cookie").to_owned()
    };
    let is_over = async |session: String| {
        let stranger = app.browser();
        let stale = stranger.request(Method::GET, "/api/v2/profiles/status/");
        let answered = stale.header("cookie", session).send().await;
        let (_, status) = answer(answered.expect("answers")).await;
        status["id"] == Value::Null
    };
    let first = sign_up("ada@example.com").await;
    let second = sign_up("grace@example.com").await;
    assert!(is_over(first).await);
    browser.sign_in("ada@example.com").await;
    assert!(is_over(second).await);
    assert!(browser.json("/api/v2/profiles/status/").await["id"].is_i64());
}

async fn signing_out_ends_the_session_and_a_get_never_does(app: &Site) {
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    let path = "/api/v2/profiles/logout/v1/validate/";
    assert_eq!(
        browser.get(path).await.status(),
        StatusCode::METHOD_NOT_ALLOWED
    );
    browser.get("/profiles/logout?next=/").await;
    assert!(browser.json("/api/v2/profiles/status/").await["id"].is_i64());
    let out = browser
        .request(Method::POST, path)
        .send()
        .await
        .expect("answers");
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    assert!(
        cookies(&out)
            .iter()
            .all(|cookie| cookie.contains("Max-Age=0"))
    );
    assert_eq!(
        browser.json("/api/v2/profiles/status/").await["id"],
        Value::Null
    );
    let again = browser
        .request(Method::POST, path)
        .send()
        .await
        .expect("answers");
    assert_eq!(again.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_session_ends_five_days_after_the_last_visit_and_its_cookies_go() {
    let clock = ManualClock::shared();
    let app = App::start_at(clock.clone()).await;
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    // This session has not been requested before, so no cache answers for it.
    clock.advance(TimeDelta::days(5) - TimeDelta::seconds(1));
    assert!(browser.json("/api/v2/profiles/status/").await["id"].is_i64());

    let other = app.browser();
    other.sign_in("ada@example.com").await;
    clock.advance(TimeDelta::days(5));
    let ended = other.get("/api/v2/profiles/status/").await;
    assert!(
        cookies(&ended)
            .iter()
            .any(|cookie| cookie.starts_with("signed_in=;"))
    );
    assert_eq!(answer(ended).await.1["id"], Value::Null);
}

async fn personal_answers_are_kept_by_nobody(app: &Site) {
    let browser = app.browser();
    browser.sign_up("ada@example.com").await;
    for path in [
        "/api/v2/profiles/status/",
        "/api/v2/profiles/me/",
        "/api/v2/profiles/hi/",
        "/api/v2/favourites/",
        "/api/v2/favourites/listing_ids/",
    ] {
        let response = browser.get(path).await;
        assert_eq!(
            response.headers()["cache-control"],
            "private, no-store",
            "{path}"
        );
        assert!(!response.headers().contains_key("etag"), "{path}");
    }
}

journeys! {
    a_sign_up_begins_a_session_that_scripts_cannot_read,
    each_field_at_fault_is_told_and_a_taken_address_too,
    a_wrong_pair_is_told_alike_for_known_and_unknown_addresses,
    signing_in_again_or_up_ends_the_session_before,
    personal_answers_are_kept_by_nobody;
    split too:
    signing_out_ends_the_session_and_a_get_never_does,
}
