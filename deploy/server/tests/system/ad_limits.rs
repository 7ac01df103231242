//! A single client can neither exhaust a campaign nor flood its log.

use std::sync::Arc;

use chassis::clock::SystemClock;
use gateway::LimitSettings;
use reqwest::{Method, Response, header};
use serde_json::{Value, json};
use testkit::until;

use crate::{
    ads::{AGENT, EVENTS, PAGE, ads, apply, shown},
    app::{App, Browser, answer, rate},
};

async fn with_limits(set: impl FnOnce(&mut LimitSettings)) -> App {
    let app = App::start_with(Arc::new(SystemClock), |settings| set(&mut settings.limits)).await;
    apply(&app.settings, 1_000_000_000).await;
    app
}

/// Sends an impression of each token, as a reader's browser.
async fn send(browser: &Browser, tokens: &[&Value]) -> Response {
    let events: Vec<Value> = tokens
        .iter()
        .map(|token| json!({"kind": "impression", "token": token}))
        .collect();
    let request = browser.request(Method::POST, EVENTS);
    let request = request.header(header::USER_AGENT, AGENT);
    let sent = request.json(&json!({"events": events})).send().await;
    sent.expect("answers")
}

#[tokio::test]
async fn slots_are_counted_not_pages() {
    let app = with_limits(|limits| limits.ads = rate("5/h")).await;
    let browser = app.browser();
    // The page has two slots.
    for expected in [200, 200, 429, 429] {
        assert_eq!(browser.get(PAGE).await.status(), expected);
    }
}

#[tokio::test]
async fn events_are_counted_not_calls() {
    let app = with_limits(|limits| limits.ad_events = rate("10/h")).await;
    let browser = app.browser();
    let token = json!("not a token");
    for (events, expected) in [(6, 200), (6, 429), (4, 200), (1, 429)] {
        let answer = send(&browser, &vec![&token; events]).await;
        assert_eq!(answer.status(), expected, "{events} events");
    }
    let click = browser.get("/api/v2/ads/clicks/none/").await;
    assert_eq!(click.status(), 429);
}

#[tokio::test]
async fn one_client_is_charged_for_few_impressions_of_a_line_item_and_for_no_repetition() {
    let app = with_limits(|limits| limits.ad_impressions = rate("2/h")).await;
    let browser = app.browser();
    for _ in 0..4 {
        let page = shown(&browser).await;
        let token = &page["results"][0]["creative"]["token"];
        for expected in ["counted", "repeated", "repeated"] {
            let (_, recorded) = answer(send(&browser, &[token]).await).await;
            assert_eq!(recorded["results"], json!([expected]));
        }
    }
    // Another line item has its own limit.
    let page = shown(&browser).await;
    send(&browser, &[&page["results"][1]["creative"]["token"]]).await;
    until("the log is linked and adds up", async || {
        let (is_well, said) = ads(&app.settings, &["verify"]).await;
        let counts = [
            "kayaks / leaderboard: 2 impressions, 0 viewable, 0 clicks, 0 surplus, 2 invalid",
            "kayaks / house: 1 impressions, 0 viewable, 0 clicks, 0 surplus, 0 invalid",
        ];
        (is_well && counts.iter().all(|counts| said.contains(counts))).then_some(())
    })
    .await;
}
