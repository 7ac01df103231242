//! Passkeys, made and used by a real authenticator in software: signing up, signing in, and leaving.

use cityguide::Settings;
use reqwest::{Method, Response, header::SET_COOKIE};
use serde_json::{Value, json};
use testkit::passkeys::PasskeyDevice;

use crate::{
    app::{App, Browser, answer},
    departures::{self, receipt_link},
    items,
    saved_kinds::KINDS,
    site::{Site, journeys},
};

const ADA: &str = "ada@example.com";
const BEGIN: &str = "/api/v2/profiles/passkeys/options/";
const END: &str = "/api/v2/profiles/passkeys/";
const OWN: &str = "/api/v2/profiles/me/passkeys/";
const ME: &str = "/api/v2/profiles/me/";
/// An origin at which browsers offer passkeys without HTTPS.
const HERE: &str = "http://localhost";

fn on_this_machine(settings: &mut Settings) {
    settings.site.url = HERE.into();
}

fn newcomer(email: &str) -> Value {
    json!({"for": "registration", "full_name": "Ada King", "email": email})
}

/// `body` with the fields of `more`.
fn with(mut body: Value, more: &Value) -> Value {
    let (body_fields, more) = (body.as_object_mut(), more.as_object());
    let more = more.expect("an object").clone();
    body_fields.expect("an object").extend(more);
    body
}

async fn begin(browser: &Browser, body: &Value) -> (String, Value) {
    let (status, begun) = answer(browser.post(BEGIN, body).await).await;
    assert_eq!(status, 200, "{begun}");
    (begun["options"].to_string(), begun["ceremony"].clone())
}

fn ended(ceremony: &Value, credential: &str) -> Value {
    let credential: Value = serde_json::from_str(credential).expect("JSON");
    json!({"ceremony": ceremony, "credential": credential})
}

/// Makes a passkey for `body` and completes the ceremony.
async fn make(browser: &Browser, device: &mut PasskeyDevice, body: Value) -> Response {
    let (options, ceremony) = begin(browser, &body).await;
    let made = ended(&ceremony, &device.make(&options).await);
    browser.post(END, &with(body, &made)).await
}

/// Returns the answer of a sign-in ceremony without completing it.
async fn sign(browser: &Browser, device: &mut PasskeyDevice) -> Value {
    let (options, ceremony) = begin(browser, &json!({"for": "sign-in"})).await;
    ended(&ceremony, &device.sign(&options).await)
}

async fn sign_in(browser: &Browser, device: &mut PasskeyDevice, more: &Value) -> (u16, Value) {
    let body = with(sign(browser, device).await, more);
    let body = with(body, &json!({"for": "sign-in"}));
    answer(browser.post(END, &body).await).await
}

async fn delete(browser: &Browser, path: &str, body: Option<Value>) -> (u16, Value) {
    let request = browser.request(Method::DELETE, path);
    let request = match body {
        Some(body) => request.json(&body),
        None => request,
    };
    answer(request.send().await.expect("answers")).await
}

async fn each_intent_is_carried_out_once_by_signing_up_and_in_with_a_passkey(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    for kind in &KINDS {
        let (browser, mut phone) = (site.browser(), PasskeyDevice::at(HERE));
        let target = kind.target(&browser).await;
        let intent = json!({"post_authenticate_action": kind.intent, "object_id": target,
            "rating": 4, "next": "/places/"});
        let email = format!("{}@example.com", kind.name);
        let body = with(newcomer(&email), &intent);
        let (status, signed_up) = answer(make(&browser, &mut phone, body).await).await;
        assert_eq!(status, 201, "{signed_up}");
        let back = signed_up["redirect_url"].as_str().expect("a path");
        assert!(
            back.starts_with("/places/?post_authenticate_action="),
            "{back}"
        );
        assert_eq!(kind.listed(&browser).await, 1, "{}", kind.name);

        // A repeated intent on another device does not switch the saved item off. An intent in a page's address writes
        // nothing.
        let laptop = site.browser();
        for _ in 0..2 {
            let (status, signed_in) = sign_in(&laptop, &mut phone, &intent).await;
            assert_eq!(status, 200, "{signed_in}");
            assert_eq!(signed_in["id"], signed_up["id"]);
            laptop.get(back).await;
            assert_eq!(kind.listed(&laptop).await, 1, "{}", kind.name);
        }
    }
}

async fn an_answer_is_taken_once_and_from_its_browser_alone(site: &Site) {
    let (browser, mut phone) = (site.browser(), PasskeyDevice::at(HERE));
    let made = make(&browser, &mut phone, newcomer(ADA)).await;
    assert_eq!(made.status(), 201);
    let begun = site.browser().post(BEGIN, &json!({"for": "sign-in"})).await;
    let cookie = begun.headers()[SET_COOKIE]
        .to_str()
        .expect("text")
        .to_owned();
    assert!(cookie.starts_with("passkey-browser="), "{cookie}");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=600"] {
        assert!(cookie.contains(part), "{part}: {cookie}");
    }

    let laptop = site.browser();
    let signed = sign(&laptop, &mut phone).await;
    let signed = with(signed, &json!({"for": "sign-in"}));
    let (status, refused) = answer(site.browser().post(END, &signed).await).await;
    assert_eq!(status, 400, "{refused}");
    assert!(refused["non_field_errors"].is_array(), "{refused}");
    let (status, signed_in) = answer(laptop.post(END, &signed).await).await;
    assert_eq!(status, 200, "{signed_in}");
    let (status, again) = answer(laptop.post(END, &signed).await).await;
    assert_eq!(
        (status, &again["non_field_errors"]),
        (400, &refused["non_field_errors"])
    );
    // The session that the first passkey began continues.
    assert_eq!(laptop.json(ME).await["email"], ADA);

    let (status, taken) =
        answer(make(&site.browser(), &mut PasskeyDevice::at(HERE), newcomer(ADA)).await).await;
    assert_eq!(status, 400, "{taken}");
    assert!(taken["email"].is_array(), "{taken}");
    for (path, wrong, field) in [
        (BEGIN, json!({}), "for"),
        (BEGIN, json!({"for": "nothing"}), "for"),
        (
            BEGIN,
            json!({"for": "registration", "email": "nobody"}),
            "email",
        ),
        (END, json!({"for": "sign-in"}), "non_field_errors"),
        (
            END,
            json!({"for": "registration", "email": "nobody"}),
            "full_name",
        ),
    ] {
        let (status, body) = answer(site.browser().post(path, &wrong).await).await;
        assert_eq!(status, 400, "{body}");
        assert!(body[field].is_array(), "{field}: {body}");
    }
}

async fn passkeys_are_added_and_removed_and_the_last_way_in_stays(site: &Site) {
    let ada = site.browser();
    let (mut phone, mut key) = (PasskeyDevice::at(HERE), PasskeyDevice::at(HERE));
    make(&ada, &mut phone, newcomer(ADA)).await;
    assert_eq!(ada.json(ME).await["has_password"], false);
    let own = ada.json(OWN).await;
    assert_eq!(
        (&own["count"], &own["results"][0]["last_used"]),
        (&json!(1), &Value::Null)
    );
    let first = format!("{OWN}{}/", own["results"][0]["id"]);
    let (status, last) = delete(&ada, &first, None).await;
    assert_eq!(status, 400, "{last}");
    assert!(last["non_field_errors"].is_array(), "{last}");

    let (status, added) = answer(make(&ada, &mut key, json!({"for": "registration"})).await).await;
    assert_eq!(status, 201, "{added}");
    let added = format!("{OWN}{}/", added["id"]);
    let bob = site.browser();
    bob.sign_up("bob@example.com").await;
    assert_eq!(bob.json(ME).await["has_password"], true);
    assert_eq!(delete(&bob, &added, None).await.0, 404);
    let elsewhere = site.browser();
    assert_eq!(sign_in(&elsewhere, &mut key, &json!({})).await.0, 200);
    assert_eq!(delete(&ada, &first, None).await.0, 204);
    assert_eq!(delete(&ada, &first, None).await.0, 404);
    assert_eq!(
        sign_in(&site.browser(), &mut phone, &json!({})).await.0,
        400
    );
    assert_eq!(delete(&ada, &added, None).await.0, 400, "the last one");

    let (_, exported) = departures::export(&ada).await;
    assert_eq!(exported["passkeys"], 1);
    // A passkey proves Ada's identity for the deletion; Bob's password does not.
    let (status, _) = delete(&ada, ME, Some(json!({"current_password": "correct horse"}))).await;
    assert_eq!(status, 400);
    let proof = json!({"passkey": sign(&ada, &mut key).await});
    assert_eq!(delete(&bob, ME, Some(proof.clone())).await.0, 400);
    assert_eq!(delete(&ada, ME, Some(proof)).await.0, 204);
    receipt_link(site, ADA).await;
    assert_eq!(sign_in(&site.browser(), &mut key, &json!({})).await.0, 400);
}

journeys! {
    with super::on_this_machine;
    each_intent_is_carried_out_once_by_signing_up_and_in_with_a_passkey,
    passkeys_are_added_and_removed_and_the_last_way_in_stays;
    split too:
    an_answer_is_taken_once_and_from_its_browser_alone,
}

#[tokio::test]
async fn a_site_says_whether_browsers_offer_it_passkeys() {
    let without = App::start().await;
    let browser = without.browser();
    assert_eq!(browser.json("/api/v2/site/").await["passkeys"], false);
    let begun = browser.post(BEGIN, &json!({"for": "sign-in"})).await;
    assert_eq!(begun.status(), 404);
}
