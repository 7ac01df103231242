//! Consent to loading content of third parties: the site's question, and the stored choices of accounts.

use std::fs;

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    app::{App, Browser, answer},
    commands::run,
    items,
    site::{Site, journeys},
};

const ADA: &str = "ada@example.com";
const CONSENT: &str = "/api/v2/profiles/me/consent/";

/// Returns the site's question about consent.
async fn question(browser: &Browser) -> Value {
    browser.json("/api/v2/site/").await["consent"].clone()
}

/// Sends a choice from the privacy page, with the browser's headers.
async fn send(browser: &Browser, choice: &Value, headers: &[(&str, &str)]) -> (u16, Value) {
    let mut request = browser.request(Method::PUT, CONSENT).json(choice);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer(request.send().await.expect("answers")).await
}

/// Allows pages to load content of third parties.
pub(crate) async fn allow(browser: &Browser) {
    let choice = json!({"choice": "all", "version": question(browser).await["version"]});
    let (status, body) = send(browser, &choice, &[]).await;
    assert_eq!(status, 200, "{body}");
}

async fn what_a_reader_chooses_is_known_on_another_device_and_stands_in_the_ledger(site: &Site) {
    let phone = site.browser();
    phone.sign_up(ADA).await;
    let none = json!({"choice": null, "date_chosen": null});
    assert_eq!(phone.json(CONSENT).await, none);
    let question = question(&phone).await;
    allow(&phone).await;
    let laptop = site.browser();
    laptop.sign_in(ADA).await;
    let known = laptop.json(CONSENT).await;
    assert_eq!(known["choice"], "all");
    assert!(known["date_chosen"].is_string(), "{known}");
    // Repeating the choice does not change its date.
    allow(&laptop).await;
    assert_eq!(phone.json(CONSENT).await, known);
    let (status, refused) = send(&laptop, &json!({"choice": "needed"}), &[]).await;
    assert_eq!((status, &refused["choice"]), (200, &json!("needed")));
    assert_eq!(phone.json(CONSENT).await, refused);

    let shown = run(site.settings(), &["consent", "show", ADA]).await;
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    let wording = question["wording"].as_str().expect("words");
    for text in [
        "given third_parties  by settings",
        wording,
        "withdrawn third_parties  by settings",
        "2 entries",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let verified = run(site.settings(), &["consent", "verify"]).await;
    assert!(verified.status.success(), "{verified:?}");
}

async fn a_browser_that_asks_for_privacy_and_words_that_are_gone_give_no_consent(site: &Site) {
    let browser = site.browser();
    browser.sign_up(ADA).await;
    let version = question(&browser).await["version"].clone();
    let yes = json!({"choice": "all", "version": version});
    for signal in [("sec-gpc", "1"), ("dnt", "1")] {
        let (status, body) = send(&browser, &yes, &[signal]).await;
        assert_eq!(status, 400, "{body}");
        assert!(body["choice"].is_array(), "{body}");
    }
    for old in [
        json!({"choice": "all"}),
        json!({"choice": "all", "version": "0"}),
    ] {
        let (status, body) = send(&browser, &old, &[]).await;
        assert_eq!(status, 400, "{body}");
        assert!(body["version"].is_array(), "{body}");
    }
    assert_eq!(browser.json(CONSENT).await["choice"], Value::Null);
    let no = json!({"choice": "needed"});
    assert_eq!(send(&browser, &no, &[("sec-gpc", "1")]).await.0, 200);
}

async fn the_site_says_that_it_abides_by_global_privacy_control(site: &Site) {
    let body = site.browser().json("/.well-known/gpc.json").await;
    assert_eq!(body["gpc"], json!(true));
}

async fn the_page_about_privacy_says_what_may_be_loaded_also_without_scripts(site: &Site) {
    items::publish(site.settings(), items::output()).await;
    let browser = site.browser();
    let question = question(&browser).await;
    // The site asks only if its file enables the question.
    assert_eq!(question["asks"], json!(false));
    let page = browser.get("/privacy/").await.text().await.expect("a page");
    let wording = question["wording"].as_str().expect("words");
    let wording = wording
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    assert!(page.contains(&wording), "{page}");
    assert!(page.contains("Content of other companies"), "{page}");
}

#[tokio::test]
async fn a_site_whose_law_asks_says_so_to_every_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = App::start_with(
        std::sync::Arc::new(chassis::clock::SystemClock),
        |settings| {
            let mut text = fs::read_to_string(&settings.site.file).expect("reads");
            text.push_str("\n[consent]\nasks = true\n");
            settings.site.file = folder.path().join("site.toml");
            fs::write(&settings.site.file, text).expect("writes");
        },
    )
    .await;
    let browser = app.browser();
    assert_eq!(question(&browser).await["asks"], json!(true));
    let html = browser.get("/").await.text().await.expect("a page");
    assert!(html.contains("\"asks\":true"), "{html}");
}

journeys! {
    a_browser_that_asks_for_privacy_and_words_that_are_gone_give_no_consent,
    the_site_says_that_it_abides_by_global_privacy_control,
    the_page_about_privacy_says_what_may_be_loaded_also_without_scripts;
    split too:
    what_a_reader_chooses_is_known_on_another_device_and_stands_in_the_ledger,
}
