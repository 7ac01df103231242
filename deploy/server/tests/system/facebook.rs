//! Logging in with Facebook, by redirect and by a token, against a stand-in for its servers.

use chassis::clock::{Clock, SystemClock};

use cityguide::Settings;
use reqwest::{Response, StatusCode, header};
use serde_json::{Value, json};
use testkit::{
    facebook::{APP_ID, APP_SECRET, Facebook, Person},
    until,
};

use crate::{
    app::{Browser, ORIGIN, answer},
    departures::{erase, erased, export, take_audit, traces},
    items,
    saved_kinds::KINDS,
    site::{Site, journeys},
};

const TOKEN: &str = "/api/v2/profiles/facebook/v1/validate/";
const CONNECTION: &str = "/api/v2/profiles/me/facebook/";
const DELETION: &str = "/api/v2/profiles/facebook/deletion/";
const LOGIN: &str = "/profiles/facebook-login";
const ME: &str = "/api/v2/profiles/me/";

const ADA: Person = Person {
    id: "10158471",
    name: "Ada Lovelace",
    email: Some("ada.king@example.com"),
};

/// A person for each kind of saved things, who logs in with Facebook.
const PEOPLE: [Person; KINDS.len()] = {
    let ids = ["11", "12", "13", "14", "15", "16"];
    let emails = [
        "1@example.com",
        "2@example.com",
        "3@example.com",
        "4@example.com",
        "5@example.com",
        "6@example.com",
    ];
    let mut people = [ADA; KINDS.len()];
    let mut at = 0;
    while at < people.len() {
        people[at].id = ids[at];
        people[at].email = Some(emails[at]);
        at += 1;
    }
    people
};

/// A site with an app at Facebook.
pub(crate) struct Guide {
    site: Site,
    facebook: Facebook,
}

/// The settings of a site whose app is registered with this stand-in for Facebook.
pub(crate) fn set(settings: &mut Settings, facebook: &Facebook) {
    let own = &mut settings.facebook;
    APP_ID.clone_into(&mut own.app_id);
    APP_SECRET.clone_into(&mut own.app_secret);
    own.dialog_url = facebook.url("/dialog");
    own.graph_url = facebook.url("/graph");
}

impl Guide {
    pub(crate) async fn in_one_process() -> Self {
        let facebook = Facebook::start().await;
        let site = Site::in_one_process(|settings| set(settings, &facebook)).await;
        Self { site, facebook }
    }

    /// Logs a person in by redirect; returns the address at which the browser arrives.
    async fn log_in(&self, browser: &Browser, person: Person, query: &str) -> String {
        let dialog = dialog(browser, query).await;
        arrive(browser, &self.facebook.log_in(&dialog, person)).await
    }

    /// Logs a person in with the person's token.
    async fn with_token(&self, browser: &Browser, person: Person, more: Value) -> (u16, Value) {
        let mut body = more;
        body["fb_token"] = json!(self.facebook.token(person));
        body["user_id"] = json!(person.id);
        answer(browser.post(TOKEN, &body).await).await
    }
}

/// Follows the link of one of the site's own pages to Facebook; returns the address of Facebook's page.
async fn dialog(browser: &Browser, query: &str) -> String {
    let arrived = follow(browser, query, "same-origin").await;
    arrived.url().to_string()
}

async fn follow(browser: &Browser, query: &str, from: &'static str) -> Response {
    let request = browser.request(reqwest::Method::GET, &format!("{LOGIN}{query}"));
    let request = request.header("sec-fetch-site", from);
    request.send().await.expect("answers")
}

/// Opens the site's address to which Facebook redirects the browser; returns the address at which the browser arrives.
async fn arrive(browser: &Browser, address: &str) -> String {
    let path = address.strip_prefix(ORIGIN).expect("the site's address");
    assert!(path.starts_with("/profiles/facebook-callback?"), "{path}");
    let request = browser.request(reqwest::Method::GET, path);
    let request = request.header("sec-fetch-site", "cross-site");
    let arrived = request.send().await.expect("answers");
    assert_ne!(arrived.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let url = arrived.url();
    let query = url.query().map(|query| format!("?{query}"));
    format!("{}{}", url.path(), query.unwrap_or_default())
}

async fn is_signed_in(browser: &Browser) -> bool {
    browser.json("/api/v2/profiles/status/").await["id"].is_number()
}

async fn is_connected(browser: &Browser) -> Value {
    browser.json(CONNECTION).await["is_connected"].clone()
}

async fn each_intent_is_carried_out_once_by_redirect_and_by_token(guide: &Guide) {
    items::publish(guide.site.settings(), items::output()).await;
    for (kind, person) in KINDS.iter().zip(PEOPLE) {
        let browser = guide.site.browser();
        let target = kind.target(&browser).await;
        let intent = format!(
            "post_authenticate_action={}&object_id={target}&rating=4",
            kind.intent
        );
        let query = format!("?next=%2Fplaces%2F%3Fa%3Db&{intent}");
        let dialog = dialog(&browser, &query).await;
        let back = guide.facebook.log_in(&dialog, person);
        let page = arrive(&browser, &back).await;
        assert_eq!(page, format!("/places/?a=b&{intent}"));
        assert_eq!(kind.listed(&browser).await, 1, "{}", kind.name);
        // The callback is repeated, and its target page is loaded again.
        assert_eq!(arrive(&browser, &back).await, "/places/?a=b");
        browser.get(&page).await;
        assert_eq!(kind.listed(&browser).await, 1, "{}", kind.name);

        let phone = guide.site.browser();
        for _ in 0..2 {
            let more = json!({"post_authenticate_action": kind.intent, "object_id": target,
                "rating": 4, "next": "/places/"});
            let (status, signed_in) = guide.with_token(&phone, person, more).await;
            assert_eq!(status, 200, "{signed_in}");
            let path = signed_in["redirect_url"].as_str().expect("a path");
            assert!(path.starts_with("/places/?post_authenticate"), "{path}");
            assert_eq!(kind.listed(&phone).await, 1, "{}", kind.name);
        }
    }
}

async fn an_intent_or_a_page_of_another_site_counts_for_nothing(guide: &Guide) {
    let guest = guide.site.browser();
    let query = "?next=/places/&post_authenticate_action=favourite&object_id=7";
    for from in ["cross-site", "same-site", "none"] {
        let arrived = follow(&guest, query, from).await;
        let back = guide.facebook.log_in(arrived.url().as_str(), ADA);
        assert_eq!(arrive(&guest, &back).await, "/places/");
        assert_eq!(guest.json("/api/v2/favourites/").await["count"], 0);
        // A signed-in reader is not redirected to Facebook.
        let arrived = follow(&guest, query, from).await;
        assert_eq!(arrived.url().path(), "/places/");
        let left = guest
            .post("/api/v2/profiles/logout/v1/validate/", &json!({}))
            .await;
        assert_eq!(left.status(), StatusCode::NO_CONTENT);
    }
    for next in [
        "//evil.test/",
        "/%5Cevil.test",
        "https:evil",
        "javascript:x",
        "",
    ] {
        let browser = guide.site.browser();
        let page = guide.log_in(&browser, ADA, &format!("?next={next}")).await;
        assert_eq!(page, "/", "{next}");
        assert!(is_signed_in(&browser).await);
    }
}

async fn a_log_in_that_does_not_succeed_leads_back_and_says_why(guide: &Guide) {
    let browser = guide.site.browser();
    let query = "?next=/places/&post_authenticate_action=favourite&object_id=7";
    let begun = dialog(&browser, query).await;
    let cancelled = guide.facebook.cancel(&begun);
    assert_eq!(arrive(&browser, &cancelled).await, "/places/");

    let (_, bare) = cancelled.split_once("state=").expect("a state");
    let (state, _) = bare.split_once('&').expect("an end");
    for query in [
        String::new(),
        "?state=x&code=y".to_owned(),
        "?state=x&state=y&code=z".to_owned(),
        format!("?state={state}&code={}", "c".repeat(7_000)),
    ] {
        let path = format!("/profiles/facebook-callback{query}");
        let status = browser.get(&path).await.status();
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{query}");
    }
    let failed = "/accounts/login?next=%2Fplaces%2F&facebook=failed";
    // The log-in begins in one browser and is completed in another.
    let back = guide.facebook.log_in(&begun, ADA);
    let elsewhere = guide.site.browser();
    let arrived = arrive(&elsewhere, &back).await;
    assert_eq!(arrived, "/accounts/login?next=%2F&facebook=failed");
    guide.facebook.fail_with(Some(503));
    assert_eq!(arrive(&browser, &back).await, failed);
    let (status, away) = guide.with_token(&browser, ADA, json!({})).await;
    assert_eq!(status, 503, "{away}");
    guide.facebook.fail_with(None);

    let nameless = Person { email: None, ..ADA };
    let page = guide.log_in(&browser, nameless, "?next=/places/").await;
    assert_eq!(
        page,
        "/accounts/login?next=%2Fplaces%2F&facebook=no-address"
    );
    let wrong = json!({"fb_token": "nonsense", "user_id": ADA.id, "name": ADA.name});
    let (status, refused) = answer(browser.post(TOKEN, &wrong).await).await;
    assert_eq!(status, 400, "{refused}");
    assert!(refused["fb_token"].is_array(), "{refused}");
    assert!(!is_signed_in(&browser).await);
    assert!(!is_signed_in(&elsewhere).await);
}

async fn a_known_address_is_connected_by_its_reader_alone(guide: &Guide) {
    let email = ADA.email.expect("an address");
    let ada = guide.site.browser();
    ada.sign_up(email).await;
    assert_eq!(ada.json("/api/v2/site/").await["facebook"], true);
    assert_eq!(is_connected(&ada).await, false);
    let guest = guide.site.browser();
    let page = guide.log_in(&guest, ADA, "?next=/places/").await;
    let taken = "/accounts/login?next=%2Fplaces%2F&facebook=address-taken";
    assert_eq!(page, taken);
    let (status, refused) = guide.with_token(&guest, ADA, json!({})).await;
    assert_eq!((status, &refused["code"]), (409, &json!("conflict")));
    assert!(
        refused["detail"]
            .as_str()
            .is_some_and(|text| text.contains("Log in to it"))
    );

    let page = guide.log_in(&ada, ADA, "?next=/accounts/dashboard").await;
    assert_eq!(page, "/accounts/dashboard?facebook=connected");
    assert_eq!(is_connected(&ada).await, true);
    assert_eq!(
        guide.log_in(&guest, ADA, "?next=/places/").await,
        "/places/"
    );
    assert_eq!(guest.json(ME).await["email"], email);

    let bob = guide.site.browser();
    bob.sign_up("bob@example.com").await;
    let page = guide.log_in(&bob, ADA, "?next=/accounts/dashboard").await;
    assert_eq!(page, "/accounts/dashboard?facebook=other-account");
    let (status, refused) = guide.with_token(&bob, ADA, json!({})).await;
    assert_eq!(status, 409, "{refused}");
    assert_eq!(is_connected(&bob).await, false);
    let robert = Person {
        id: "10158472",
        email: None,
        ..ADA
    };
    let (status, connected) = guide
        .with_token(&bob, robert, json!({"next": "/places/"}))
        .await;
    assert_eq!(
        (status, &connected["redirect_url"]),
        (200, &json!("/places/"))
    );
    assert_eq!(is_connected(&bob).await, true);
    for _ in 0..2 {
        let gone = bob.delete(CONNECTION).await;
        assert_eq!(gone.status(), StatusCode::NO_CONTENT);
    }
    assert_eq!(is_connected(&bob).await, false);
}

async fn an_account_made_with_facebook_keeps_it_until_there_is_another_way_in(guide: &Guide) {
    let ada = guide.site.browser();
    guide.log_in(&ada, ADA, "").await;
    assert_eq!(ada.json(ME).await["has_password"], false);
    let (status, refused) = answer(ada.delete(CONNECTION).await).await;
    assert_eq!(status, 400, "{refused}");
    assert!(refused["non_field_errors"].is_array(), "{refused}");
    assert_eq!(is_connected(&ada).await, true);
}

async fn a_reader_who_has_just_logged_in_leaves_without_a_password(guide: &Guide) {
    items::publish(guide.site.settings(), items::output()).await;
    let ada = guide.site.browser();
    let query = "?post_authenticate_action=favourite&object_id=7";
    guide.log_in(&ada, ADA, query).await;
    let id = ada.json(ME).await["id"].as_i64().expect("an id");
    let (files, stored) = export(&ada).await;
    let (stored, _) = take_audit(stored);
    assert_eq!(stored.get("facebook_links"), Some(&1), "{stored:?}");
    assert_eq!(files["facebook_links"][0]["facebook_id"], ADA.id);
    assert_eq!(erase(&ada, "").await.0, 204);
    assert!(!is_signed_in(&ada).await);
    let answer = erased(&guide.site, "ada.king@example.com").await;
    assert_eq!(answer, stored, "the receipt counts what the export held");
    nothing_is_left_of(guide, id).await;
}

async fn facebook_has_the_data_of_somebody_deleted(guide: &Guide) {
    let ada = guide.site.browser();
    guide.log_in(&ada, ADA, "").await;
    let id = ada.json(ME).await["id"].as_i64().expect("an id");
    // Facebook's own servers send no cookie.
    let servers = guide.site.browser();
    let ask = async |form: String| {
        let request = servers.request(reqwest::Method::POST, DELETION);
        let form_type = "application/x-www-form-urlencoded";
        let request = request.header(header::CONTENT_TYPE, form_type).body(form);
        answer(request.send().await.expect("answers")).await
    };
    for forged in ["", "signed_request=", "signed_request=a.b"] {
        let (status, refused) = ask(forged.to_owned()).await;
        assert_eq!(status, 400, "{refused}");
        assert!(refused["signed_request"].is_array(), "{refused}");
    }
    assert!(is_signed_in(&ada).await);

    let (status, accepted) = ask(guide.facebook.deletion_of(ADA, SystemClock.now())).await;
    assert_eq!(status, 200, "{accepted}");
    let code = accepted["confirmation_code"].as_str().expect("a code");
    let page = format!("{ORIGIN}/profiles/facebook-deletion#{code}");
    assert_eq!(accepted["url"], page);
    let answer = servers.json(&format!("{DELETION}{code}/")).await;
    assert_eq!(answer["outcome"], "account-erased");
    assert!(answer["date_requested"].is_string(), "{answer}");
    assert!(!is_signed_in(&ada).await);
    erased(&guide.site, "ada.king@example.com").await;
    nothing_is_left_of(guide, id).await;
}

async fn nothing_is_left_of(guide: &Guide, id: i64) {
    until("nothing is left", async || {
        (traces(&guide.site, id).await == ["identity.erasures: 1"]).then_some(())
    })
    .await;
}

journeys! {
    on crate::facebook::Guide;
    each_intent_is_carried_out_once_by_redirect_and_by_token,
    an_intent_or_a_page_of_another_site_counts_for_nothing,
    a_log_in_that_does_not_succeed_leads_back_and_says_why,
    a_known_address_is_connected_by_its_reader_alone,
    an_account_made_with_facebook_keeps_it_until_there_is_another_way_in,
    a_reader_who_has_just_logged_in_leaves_without_a_password,
    facebook_has_the_data_of_somebody_deleted,
}
