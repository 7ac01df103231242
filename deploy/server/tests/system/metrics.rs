//! Metrics are exported to a collector, an unavailable collector does no harm, and clients cannot add series.

use std::{collections::BTreeSet, time::Duration};

use cityguide::Target;
use reqwest::{Method, StatusCode};
use testkit::until;

use crate::{
    app::Browser,
    collector::{Collector, Point},
    commands,
    site::{self, Split, free},
};

fn has(point: &Point, service: &str, attributes: &[(&str, &str)]) -> bool {
    let is_there =
        |(key, value): &(&str, &str)| point.attributes.get(*key).map(String::as_str) == Some(value);
    point.service == service && attributes.iter().all(is_there)
}

#[tokio::test(flavor = "multi_thread")]
async fn rates_errors_and_durations_of_requests_and_calls_are_pushed_with_their_attributes() {
    let collector = Collector::start().await;
    let split = Split::start_with(|settings| {
        collector.url().clone_into(&mut settings.otlp.url);
        settings.otlp.metrics_interval_seconds = 1;
    })
    .await;
    let listings = [
        ("method", "GET"),
        ("route", "/api/v2/listings/"),
        ("status", "200"),
    ];
    let missing = [
        ("method", "GET"),
        ("route", "/api/v2/listings/{id}/"),
        ("status", "404"),
    ];
    for browser in [split.browser(), split.browser()] {
        browser.json("/api/v2/listings/").await;
        browser.get("/api/v2/listings/999/").await;
    }
    let call = [
        ("rpc", "/cityguide.places.v1.Places/ListListings"),
        ("code", "0"),
        ("service", "places"),
    ];
    let (requests, calls) = until("both sides have metrics", async || {
        let requests = collector.points("http_server_duration_seconds");
        let calls = collector.points("rpc_server_duration_seconds");
        let gateways: BTreeSet<_> = requests
            .iter()
            .filter(|point| has(point, "cityguide-gateway", &listings))
            .map(|point| point.instance.clone())
            .collect();
        let is_told = gateways.len() == 2
            && requests
                .iter()
                .any(|point| has(point, "cityguide-gateway", &missing))
            && calls
                .iter()
                .any(|point| has(point, "cityguide-places", &call));
        is_told.then_some((requests, calls))
    })
    .await;
    for (points, service, attributes) in [
        (&requests, "cityguide-gateway", &listings),
        (&requests, "cityguide-gateway", &missing),
        (&calls, "cityguide-places", &call),
    ] {
        let point = points.iter().find(|point| has(point, service, attributes));
        let point = point.expect("it was there");
        assert!(point.count > 0, "{point:?}");
        // The rules for the service levels count the requests that are faster than these bounds.
        assert!(
            point.bounds.contains(&0.25) && point.bounds.contains(&1.0),
            "{point:?}"
        );
    }
    until("gauges are there too", async || {
        let gauges = collector.points("outbox_events");
        let bookmarks = [("service", "bookmarks")];
        let mut ours = gauges
            .iter()
            .filter(|point| has(point, "cityguide-bookmarks", &bookmarks));
        ours.next().map(drop)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_away_is_told_of_once_and_delays_nothing() {
    let (mut settings, _database, blobs) = commands::migrated().await;
    let collector = Collector::at(free());
    settings.otlp.url = collector.url();
    settings.otlp.metrics_interval_seconds = 1;
    settings.http.listen = free();
    settings.http.internal_listen = free();
    let mut command = commands::program(&settings);
    command.arg("serve");
    let mut child = site::ready(command, &settings).await;
    let log = blobs
        .path()
        .join(format!("{}.log", settings.http.internal_listen.port()));
    let said = |words: &str| {
        let log = std::fs::read_to_string(&log).expect("a log");
        log.lines().filter(|line| line.contains(words)).count()
    };
    until("it is noticed", async || {
        (said("the collector is away") > 0).then_some(())
    })
    .await;
    let browser = Browser::at(&format!("http://{}", settings.http.listen));
    browser.json("/api/v2/listings/").await;
    // Several deliveries fail during this time, but only the first failure is logged.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    assert_eq!(said("the collector is away"), 1);

    collector.listen().await;
    until("it is back", async || {
        (said("the collector is back") > 0).then_some(())
    })
    .await;
    until("it is sent to again", async || {
        let points = collector.points("http_server_duration_seconds");
        points
            .iter()
            .any(|point| point.service == "cityguide")
            .then_some(())
    })
    .await;
    child.kill().await.expect("killed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_methods_make_no_series_of_their_own() {
    let split = Split::start().await;
    let browser = split.browser();
    for number in 0..50 {
        let method = Method::from_bytes(format!("AAA{number}").as_bytes()).expect("a token");
        let sent = browser.request(method, "/api/v2/listings/").send().await;
        let answer = sent.expect("answers");
        assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
    }
    let url = format!("http://{}/metrics", split.internal(Target::Gateway));
    let page = reqwest::get(url).await.expect("answers");
    let text = page.text().await.expect("text");
    assert!(text.contains(r#"method="_OTHER""#), "{text}");
    assert!(!text.contains("AAA"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_paths_make_no_series_of_their_own() {
    let split = Split::start().await;
    let browser = split.browser();
    let url = format!("http://{}/metrics", split.internal(Target::Gateway));
    let page = async || {
        let page = reqwest::get(&url).await.expect("answers");
        page.text().await.expect("text")
    };
    let ask = async |word: &str| {
        for path in [
            format!("/{word}/"),
            format!("/{word}/{word}/?{word}={word}"),
            format!("/api/v2/{word}/"),
            format!("/api/v2/listings/{word}/"),
            format!("/api/v2/listings/?keywords={word}&{word}={word}"),
            format!("/media/{word}.jpg"),
            format!("/sitemaps/{word}.xml"),
        ] {
            browser.get(&path).await;
        }
    };
    ask("invented").await;
    let mut known = series_of(&page().await);
    // A gateway occasionally adds a series for other reasons, so a single round without new series is sufficient. A
    // path that created series would add some in each round.
    let mut came = Vec::new();
    for round in 0..5 {
        for number in 0..10 {
            ask(&format!("invented{round}x{number}")).await;
        }
        let text = page().await;
        assert!(!text.contains("invented"), "{text}");
        let series = series_of(&text);
        let more: Vec<_> = series.difference(&known).cloned().collect();
        if more.is_empty() {
            return;
        }
        came = more;
        known.extend(series);
    }
    panic!("each round made series, the last {came:?}");
}

/// The names and labels of a page's series.
fn series_of(page: &str) -> BTreeSet<String> {
    let series = page.lines().filter_map(|line| line.rsplit_once(' '));
    series.map(|(name, _)| name.to_owned()).collect()
}
