//! Pages report measurements about themselves, which become metrics, log lines and spans without anything about the
//! reader.

use std::sync::Arc;

use chassis::clock::SystemClock;
use cityguide::Target;
use reqwest::{Method, Response, header};
use serde_json::{Value, json};
use testkit::until;

use crate::{
    ads::AGENT,
    app::{App, Browser, answer, fixture, rate},
    collector::Collector,
    commands,
    site::{self, Site, Split, free},
};

const PATH: &str = "/api/v2/telemetry/";
const CLICK: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// A report of a view.
pub(crate) fn view() -> Value {
    json!({"entries": [{"kind": "view", "page": "home"}]})
}

/// Sends a report as a reader's browser.
async fn report(browser: &Browser, body: &Value) -> Response {
    let request = browser.request(Method::POST, PATH);
    let request = request.header(header::USER_AGENT, AGENT);
    request.json(body).send().await.expect("answers")
}

async fn metrics_at(url: &str) -> String {
    let page = reqwest::get(url).await.expect("answers");
    page.text().await.expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn measurements_are_counted_by_page() {
    let split = Split::start().await;
    let browser = split.browser();
    let body = json!({"entries": [
        {"kind": "vital", "page": "place", "name": "LCP", "value": 2_100.5},
        {"kind": "vital", "page": "place", "name": "INP", "value": 0},
        {"kind": "layout-shift", "page": "place", "value": 0.2},
        {"kind": "error", "page": "place", "name": "TypeError", "file": "none.js", "line": 1, "column": 2},
        {"kind": "view", "page": "place", "item": {"kind": "listing", "id": 1}},
        {"kind": "view", "page": "other", "more": "is ignored"},
        {"kind": "click", "page": "home", "traceparent": CLICK, "duration": 120, "ago": 500},
    ]});
    let answered = report(&browser, &body).await;
    assert_eq!(
        answered.headers()[header::CACHE_CONTROL],
        "private, no-store"
    );
    assert_eq!(answer(answered).await, (204, json!("")));
    // Views by crawlers are not counted; the tests' client counts as a crawler.
    assert_eq!(browser.post(PATH, &view()).await.status(), 204);
    let url = format!("http://{}/metrics", split.internal(Target::Gateway));
    let text = metrics_at(&url).await;
    for line in [
        r#"page_vital_seconds_bucket{vital="lcp",page="place",le="1.8"} 0"#,
        r#"page_vital_seconds_bucket{vital="lcp",page="place",le="2.5"} 1"#,
        r#"page_vital_seconds_count{vital="inp",page="place"} 1"#,
        r#"page_layout_shift_ratio_bucket{page="place",le="0.15"} 0"#,
        r#"page_layout_shift_ratio_bucket{page="place",le="0.25"} 1"#,
        r#"page_errors_total{name="TypeError",file="other"} 1"#,
        r#"page_views_total{page="place"} 1"#,
        r#"page_views_total{page="other"} 1"#,
        r#"page_reports_refused_total{reason="crawler"} 1"#,
    ] {
        assert!(text.lines().any(|known| known == line), "{line} in {text}");
    }
    assert!(!text.contains(r#"page_views_total{page="home"}"#), "{text}");
}

#[tokio::test]
async fn a_report_with_an_invalid_entry_is_refused() {
    let app = App::start().await;
    let browser = app.browser();
    let with = |entry: &Value, changes: Value| {
        let mut entry = entry.clone();
        for (name, value) in changes.as_object().expect("changes") {
            entry[name] = value.clone();
        }
        json!({"entries": [view()["entries"][0], entry]})
    };
    let vital = json!({"kind": "vital", "page": "home", "name": "LCP", "value": 1});
    let shift = json!({"kind": "layout-shift", "page": "home", "value": 0.1});
    let error = json!({"kind": "error", "page": "home", "name": "Error", "file": "", "line": 0, "column": 0});
    let item = json!({"kind": "view", "page": "place", "item": {"kind": "listing", "id": 1}});
    let click =
        json!({"kind": "click", "page": "home", "traceparent": CLICK, "duration": 1, "ago": 1});
    for entry in [&vital, &shift, &error, &item, &click] {
        let valid = with(entry, json!({}));
        assert_eq!(report(&browser, &valid).await.status(), 204, "{valid}");
    }
    let click_of = |traceparent: &str| json!({"traceparent": traceparent});
    let mut invalid: Vec<Value> = [
        (&vital, json!({"kind": "invented"})),
        (&vital, json!({"kind": 1})),
        (
            &vital,
            json!({"page": "/restaurants/pai-toronto/?q=secret"}),
        ),
        (&vital, json!({"page": "HOME"})),
        (&vital, json!({"page": null})),
        (&vital, json!({"name": "lcp"})),
        (&vital, json!({"name": "CLS"})),
        (&vital, json!({"value": -1})),
        (&vital, json!({"value": 600_001})),
        (&vital, json!({"value": "1"})),
        (&vital, json!({"value": 1e308})),
        (&shift, json!({"value": 100.1})),
        (&error, json!({"name": "e".repeat(201)})),
        (&error, json!({"file": "\u{1f35c}".repeat(201)})),
        (&error, json!({"line": -1})),
        (&error, json!({"column": 4_294_967_296_u64})),
        (&item, json!({"item": {"kind": "reader", "id": 1}})),
        (&item, json!({"item": {"kind": "listing", "id": 0}})),
        (
            &item,
            json!({"item": {"kind": "listing", "id": 1_u64 << 53}}),
        ),
        (&click, click_of("")),
        (
            &click,
            click_of("00-00000000000000000000000000000000-b7ad6b7169203331-01"),
        ),
        (
            &click,
            click_of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n"),
        ),
        (&click, json!({"duration": -1})),
        (&click, json!({"ago": 86_400_001})),
    ]
    .map(|(entry, changes)| with(entry, changes))
    .into();
    let entry = &view()["entries"][0];
    invalid.extend([
        json!({}),
        json!({"entries": null}),
        json!({"entries": []}),
        json!({"entries": vec![entry; 21]}),
        json!({"entries": ["view"]}),
        json!({"entries": {"0": entry}}),
    ]);
    for body in invalid {
        let (status, said) = answer(report(&browser, &body).await).await;
        assert_eq!(status, 400, "{body}: {said}");
        assert!(said["entries"].is_array(), "{body}: {said}");
    }
    let many = json!({"entries": vec![entry; 20]});
    assert_eq!(report(&browser, &many).await.status(), 204);
    let long = json!({"entries": [entry], "more": "a".repeat(8 * 1024)});
    assert_eq!(report(&browser, &long).await.status(), 413);
}

#[tokio::test]
async fn reports_of_a_client_are_limited_valid_or_not() {
    let app = App::start_with(Arc::new(SystemClock), |settings| {
        settings.limits.telemetry = rate("3/h");
        settings.limits.reads = rate("1/h");
    })
    .await;
    let browser = app.browser();
    for (body, expected) in [
        (view(), 204),
        (json!({}), 400),
        (view(), 204),
        (view(), 429),
        (json!({}), 429),
    ] {
        assert_eq!(report(&browser, &body).await.status(), expected);
    }
    // Pages have their own limit.
    assert_eq!(browser.get("/api/v2/listings/?limit=3").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_personal_in_a_report_is_logged_or_measured() {
    let (mut settings, _database, blobs) = commands::migrated().await;
    settings.http.listen = free();
    settings.http.internal_listen = free();
    settings.log.filter = "info,gateway=trace".to_owned();
    let web = blobs.path().join("web");
    std::fs::create_dir_all(web.join(".vite")).expect("a folder");
    std::fs::copy(fixture("web/index.html"), web.join("index.html")).expect("a copy");
    let manifest = json!({"src/routes/place.tsx": {"file": "assets/place-1.js"}});
    std::fs::write(web.join(".vite/manifest.json"), manifest.to_string()).expect("written");
    settings.web.root = web;
    let mut command = commands::program(&settings);
    command.arg("serve");
    let mut child = site::ready(command, &settings).await;
    let browser = Browser::at(&format!("http://{}", settings.http.listen));
    let secret = "ada@example.com";
    let body = json!({
        "email": secret,
        "entries": [
            {"kind": "view", "page": "place", "item": {"kind": "listing", "id": 7, "name": secret}},
            {"kind": "error", "page": "place", "name": secret, "message": secret,
                "file": format!("https://guide.test/?q={secret}"), "line": 1, "column": 1},
            {"kind": "error", "page": "place", "name": "TypeError", "message": secret, "file": "place-1.js",
                "line": 31, "column": 7},
        ],
    });
    assert_eq!(report(&browser, &body).await.status(), 204);
    let refused = json!({"entries": [{"kind": "view", "page": secret}]});
    assert_eq!(report(&browser, &refused).await.status(), 400);
    let log = blobs
        .path()
        .join(format!("{}.log", settings.http.internal_listen.port()));
    let log = || std::fs::read_to_string(&log).expect("a log");
    let said = until("the report is logged", async || {
        let said = log();
        (said.contains("a page was viewed") && said.contains("a page reported a script error"))
            .then_some(said)
    })
    .await;
    let line = said.lines().find(|line| line.contains("a script error"));
    let line = line.expect("it was there");
    for part in ["place-1.js", "TypeError", "31"] {
        assert!(line.contains(part), "{line}");
    }
    let url = format!("http://{}/metrics", settings.http.internal_listen);
    let text = metrics_at(&url).await;
    assert!(text.contains("page_errors_total"), "{text}");
    for text in [text, said] {
        assert!(!text.contains("ada@"), "{text}");
    }
    child.kill().await.expect("killed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_begins_at_the_click() {
    let collector = Collector::start().await;
    let site = Site::Split(
        Split::start_with(|settings| collector.url().clone_into(&mut settings.otlp.url)).await,
    );
    let browser = site.browser();
    let root = "GET /api/v2/listing-types/";
    for _ in 0..3 {
        // The second and third answers are replayed.
        let request = browser.request(Method::GET, "/api/v2/listing-types/");
        let answered = request.header("traceparent", CLICK).send().await;
        assert_eq!(answered.expect("answers").status(), 200);
    }
    let forged = CLICK.to_uppercase();
    let request = browser.request(Method::GET, "/api/v2/neighbourhoods/");
    request
        .header("traceparent", &*forged)
        .send()
        .await
        .expect("answers");
    let entry = json!({"kind": "click", "page": "places", "traceparent": CLICK, "duration": 120, "ago": 500});
    report(&browser, &json!({"entries": [entry]})).await;

    let spans = until("the click and its requests are exported", async || {
        let spans = collector.spans();
        let count = |name: &str| spans.iter().filter(|span| span.name == name).count();
        let is_whole =
            count("click") == 1 && count(root) == 3 && count("GET /api/v2/neighbourhoods/") == 1;
        is_whole.then_some(spans)
    })
    .await;
    let hex = |bytes: &[u8]| {
        let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
        digits.collect::<Vec<_>>().concat()
    };
    for span in spans {
        let is_of_click = format!("00-{}-{}-01", hex(&span.trace), hex(&span.parent)) == CLICK;
        if span.name == "click" || span.name == root {
            assert!(is_of_click, "{span:?}");
        } else {
            assert!(!is_of_click, "{span:?}");
        }
    }
}
