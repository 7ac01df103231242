//! A change of campaigns reaches every gateway by an event.

use std::net::SocketAddr;

use cityguide::Settings;
use testkit::until;

use crate::{
    ads::{PAGE, ads, apply, shown},
    app::Browser,
    city, crash,
    site::Split,
};

/// Returns how often each gateway has requested the plan after an event.
async fn asked_upon_events(gateways: &[SocketAddr]) -> Vec<u64> {
    let mut asked = Vec::new();
    for address in gateways {
        let metrics = reqwest::get(format!("http://{address}/metrics")).await;
        let metrics = metrics.expect("answers").text().await.expect("a body");
        let mut lines = metrics.lines();
        let count = lines.find_map(|line| line.strip_prefix(r#"ad_syncs_total{cause="event"} "#));
        asked.push(count.map_or(0, |count| count.parse().expect("a number")));
    }
    asked
}

/// Pauses and resumes a campaign alternately until each gateway has requested the plan twice because of an event: the
/// timer may precede an event, and the first of these events may be caused by the import. Takes the gateways' internal
/// addresses.
async fn changes_are_obeyed_upon_events(
    settings: &Settings,
    browsers: &[Browser],
    gateways: &[SocketAddr],
) {
    const ENOUGH: u64 = 2;
    apply(settings, 1_000_000_000).await;
    for browser in browsers {
        shown(browser).await;
    }
    let before = asked_upon_events(gateways).await;
    for change in 0..20 {
        let is_paused = change % 2 == 0;
        let command = if is_paused { "pause" } else { "resume" };
        let (is_well, said) = ads(settings, &[command, "kayaks"]).await;
        assert!(is_well, "{said}");
        for browser in browsers {
            until("pages obey", async || {
                let page = browser.json(PAGE).await;
                let is_empty = page["results"][0]["creative"].is_null();
                (is_empty == is_paused).then_some(())
            })
            .await;
        }
        let now = asked_upon_events(gateways).await;
        let mut counts = before.iter().zip(&now);
        if counts.all(|(before, now)| now - before >= ENOUGH) {
            return;
        }
    }
    panic!("the timer was always the first");
}

#[tokio::test]
async fn a_change_reaches_the_pages_by_an_event() {
    let (settings, _database, _blobs) = crash::migrated().await;
    city::build(&settings).await;
    let mut child = crash::start(&settings).await;
    let browser = Browser::at(&format!("http://{}", settings.http.listen));
    let internal = [settings.http.internal_listen];
    changes_are_obeyed_upon_events(&settings, &[browser], &internal).await;
    child.kill().await.expect("killed");
}

#[tokio::test]
async fn a_change_reaches_every_gateway_by_an_event() {
    let split = Split::start().await;
    let browsers = [split.browser(), split.browser()];
    let internal = split.internal_of_gateways();
    changes_are_obeyed_upon_events(&split.settings, &browsers, internal).await;
}
