//! Public responses that gateways cache: computed once, removed after changes, served while PostgreSQL is unavailable.

use std::{fs, net::SocketAddr, time::Duration};

use cityguide::Target;
use reqwest::{Method, Response, StatusCode, header};
use serde_json::Value;
use tempfile::TempDir;
use testkit::{outbox, until};

use crate::{
    app::{Browser, answer, set_timeouts},
    city,
    faults::is_unavailable,
    site::{Site, Split, journeys},
};

/// Time within which hundreds of requests arrive even on a busy machine.
const ALL_ARRIVE: Duration = Duration::from_mins(1);

/// The sum of a metric's counts with this label.
pub(crate) async fn counted(internal: SocketAddr, metric: &str, label: &str) -> u64 {
    let metrics = reqwest::get(format!("http://{internal}/metrics"));
    let text = metrics.await.expect("answers").text().await.expect("text");
    let lines = text
        .lines()
        .filter(|line| line.starts_with(metric) && line.contains(label));
    lines
        .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
        .sum()
}

/// Waits until a gateway that is disconnected from the broker has handled no event for a second, and therefore all
/// received events.
async fn has_heard(gateway: SocketAddr) {
    let heard = async || counted(gateway, "bus_messages_total", "").await;
    until("nothing more is heard", async || {
        let before = heard().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        (heard().await == before).then_some(())
    })
    .await;
}

/// Returns the number of calls for a list of places, from the service's metrics.
async fn lists(split: &Split) -> u64 {
    let places = split.internal(Target::Places);
    let metric = "rpc_server_duration_seconds_count";
    counted(
        places,
        metric,
        "rpc=\"/cityguide.places.v1.Places/ListListings\"",
    )
    .await
}

async fn get(browser: &Browser, path: &str, accept: &str) -> Response {
    let request = browser.request(Method::GET, path);
    let request = request.header(header::ACCEPT_ENCODING, accept);
    request.send().await.expect("answers")
}

/// Writes the city's folder with one place renamed.
fn renamed(number: usize, name: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    city::write(folder.path());
    let place = folder.path().join(format!("places/place-{number}.md"));
    let text = fs::read_to_string(&place).expect("reads");
    let text = text.replace(&format!("Place {number:02}"), name);
    fs::write(&place, text).expect("writes");
    folder
}

fn names(list: &Value) -> Vec<&str> {
    let results = list["results"].as_array().expect("results").iter();
    results.filter_map(|one| one["name"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_who_ask_for_what_is_not_kept_make_one_call() {
    // Long timeouts, so that all requests arrive before the first request fails, even on a slow machine.
    let (split, faults) =
        Split::start_among_faults_with(|settings| set_timeouts(settings, ALL_ARRIVE)).await;
    let browser = split.browser();
    let gateway = split.internal(Target::Gateway);
    let metric = "gateway_cache_requests_total";
    // A change that the gateway receives meanwhile would cause another call.
    outbox::assert_drains(&split.database, "places").await;
    faults.broker.cut();
    has_heard(gateway).await;
    browser.json("/api/v2/listings/?limit=1").await;
    let before = lists(&split).await;
    let path = "/api/v2/listings/?limit=7";
    faults.database.stall();
    let asking = futures::future::join_all((0..500).map(|_| browser.json(path)));
    let arriving = async {
        until("all but one wait for it", async || {
            let joined = counted(gateway, metric, "outcome=\"joined\"").await;
            (joined == 499).then_some(())
        })
        .await;
        faults.database.restore();
    };
    let (answers, ()) = tokio::join!(asking, arriving);
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(lists(&split).await - before, 1);
    for path in [
        "/api/v2/listings?limit=7",
        "/api/v2/listings/?utm_source=news&limit=7&offset=0&type=",
    ] {
        assert_eq!(browser.json(path).await, answers[0], "{path}");
    }
    assert_eq!(lists(&split).await - before, 1);
    assert_eq!(counted(gateway, metric, "outcome=\"miss\"").await, 2);
    assert_eq!(counted(gateway, metric, "outcome").await, 503);
    assert_eq!(counted(gateway, "gateway_cache_entries", "").await, 2);
    assert!(counted(gateway, "gateway_cache_bytes", "").await > 2_000);
}

async fn a_change_is_seen_through_every_gateway(site: &Site) {
    let browsers = [site.browser(), site.browser()];
    let list = "/api/v2/listings/?ordering=name&limit=100";
    let id = browsers[0].json(list).await["results"][3]["id"].clone();
    let one = format!("/api/v2/listings/{id}/");
    for browser in &browsers {
        assert!(names(&browser.json(list).await).contains(&"Place 03"));
        assert_eq!(browser.json(&one).await["name"], "Place 03");
        browser.json("/api/v2/listing-types/").await;
    }
    let folder = renamed(3, "A new name");
    let types = folder.path().join("listing-types.toml");
    let text = fs::read_to_string(&types).expect("reads");
    let text = text.replace("\"Restaurants\"", "\"Eateries\"");
    fs::write(&types, text).expect("writes");
    let output = city::apply(site.settings(), folder.path()).await;
    assert!(output.status.success());
    until("all see it", async || {
        for browser in &browsers {
            let is_listed = names(&browser.json(list).await).contains(&"A new name");
            let is_there = browser.json(&one).await["name"] == "A new name";
            let types = browser.json("/api/v2/listing-types/").await;
            if !(is_listed && is_there && names(&types).contains(&"Eateries")) {
                return None;
            }
        }
        Some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_postgres_what_is_kept_is_served_and_nothing_else_is() {
    let (split, faults) = Split::start_among_faults().await;
    let browser = split.browser();
    let (kept, cold) = ("/api/v2/listings/?limit=2", "/api/v2/listings/?limit=9");
    let first = browser.get(kept).await;
    let tag = first.headers()["etag"].clone();
    faults.database.cut();
    is_unavailable(&browser, cold).await;
    let again = browser.get(kept).await;
    assert_eq!(again.status(), StatusCode::OK);
    assert_eq!(again.headers()["etag"], tag);
    // An outage of the broker alone does not remove cached responses.
    faults.broker.cut();
    tokio::time::sleep(Duration::from_millis(500)).await;
    faults.broker.restore();
    for _ in 0..20 {
        assert_eq!(browser.get(kept).await.status(), StatusCode::OK);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    faults.database.restore();
    until("it is answered again", async || {
        (browser.get(cold).await.status() == StatusCode::OK).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_while_the_broker_was_away_is_seen_once_it_is_back() {
    let (split, faults) = Split::start_among_faults().await;
    let browsers = [split.browser(), split.browser()];
    let path = "/api/v2/listings/?ordering=name&limit=100";
    for browser in &browsers {
        browser.json(path).await;
    }
    faults.broker.cut();
    let folder = renamed(5, "Told late");
    assert!(
        city::apply(&split.settings, folder.path())
            .await
            .status
            .success()
    );
    for browser in &browsers {
        assert!(names(&browser.json(path).await).contains(&"Place 05"));
    }
    faults.broker.restore();
    until("all see it", async || {
        for browser in &browsers {
            if !names(&browser.json(path).await).contains(&"Told late") {
                return None;
            }
        }
        Some(())
    })
    .await;
}

async fn each_encoding_has_its_own_tag(site: &Site) {
    let browser = site.browser();
    let path = "/api/v2/listings/?limit=20";
    let plain = get(&browser, path, "identity").await;
    assert!(!plain.headers().contains_key("content-encoding"));
    let length: usize = plain.headers()["content-length"]
        .to_str()
        .expect("text")
        .parse()
        .expect("a number");
    let mut tags = vec![plain.headers()["etag"].clone()];
    for (accept, expected) in [
        ("gzip, deflate, br, zstd", Some("br")),
        ("gzip, zstd;q=0.9", Some("gzip")),
        ("zstd", Some("zstd")),
        ("br;q=0", None),
        ("deflate", None),
    ] {
        let response = get(&browser, path, accept).await;
        let headers = response.headers();
        let encoding = headers.get("content-encoding");
        let encoding = encoding.map(|encoding| encoding.to_str().expect("text"));
        assert_eq!(encoding, expected, "{accept}");
        let vary: Vec<_> = headers.get_all("vary").iter().collect();
        assert_eq!(vary, ["accept-encoding"], "{accept}");
        let is_encoded = encoding.is_some();
        let tag = headers["etag"].clone();
        assert_eq!(tag == tags[0], !is_encoded, "{accept}");
        for other in [accept, "x-unknown"] {
            let known = browser
                .request(Method::GET, path)
                .header(header::ACCEPT_ENCODING, other)
                .header(header::IF_NONE_MATCH, &tag);
            let known = known.send().await.expect("answers");
            let is_same = other == accept || !is_encoded;
            assert_eq!(known.status() == 304, is_same, "{accept}, {other}");
            assert!(known.headers().contains_key("vary"));
        }
        let head = browser
            .request(Method::HEAD, path)
            .header(header::ACCEPT_ENCODING, accept);
        let head = head.send().await.expect("answers");
        assert_eq!(
            (head.status(), &head.headers()["etag"]),
            (StatusCode::OK, &tag)
        );
        let body = response.bytes().await.expect("a body");
        assert_eq!(
            head.headers()["content-length"].to_str().expect("text"),
            body.len().to_string()
        );
        assert_eq!(body.len() < length, is_encoded, "{accept}");
        tags.push(tag);
    }
    // An encoding that the client does not accept is better than no response.
    for path in [path, "/api/v2/profiles/status/", "/"] {
        let refused = get(&browser, path, "*;q=0").await;
        assert_eq!(refused.status(), StatusCode::OK, "{path}");
        assert!(
            !refused.headers().contains_key("content-encoding"),
            "{path}"
        );
    }
}

async fn nothing_of_a_reader_is_in_a_public_answer(site: &Site) {
    let (reader, guest) = (site.browser(), site.browser());
    reader.sign_up("ada@example.com").await;
    for path in ["/api/v2/listings/", "/api/v2/listings/1/", "/api/v2/site/"] {
        let first = reader.get(path).await;
        for name in ["set-cookie", "ratelimit"] {
            assert!(!first.headers().contains_key(name), "{path}");
        }
        let (first, other) = (answer(first).await, answer(guest.get(path).await).await);
        assert_eq!(first, other, "{path}");
    }
    // Parameters that a reader adds to an address do not appear in another reader's response.
    let path = "/api/v2/listings/?limit=2";
    let mine = reader.json(&format!("{path}&utm_source=secret")).await;
    let theirs = guest.json(path).await;
    assert_eq!(mine, theirs);
    assert!(mine["next"].as_str().expect("more").starts_with(path));
}

journeys! {
    each_encoding_has_its_own_tag,
    nothing_of_a_reader_is_in_a_public_answer;
    split too:
    a_change_is_seen_through_every_gateway,
}
