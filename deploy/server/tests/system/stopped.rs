//! While a service is stopped, calls that do not need it are answered as before, and calls that need it fail
//! immediately.

use std::time::{Duration, Instant};

use cityguide::Target;
use reqwest::StatusCode;
use serde_json::json;
use testkit::until;

use crate::{app::Browser, cache::counted, items, site::Split};

/// The timeout of reads: longer than usual, because tests run side by side on few cores.
const READ_MILLISECONDS: u64 = 2_000;
/// The pause between two calls with which an open breaker checks whether the service answers again.
const PAUSE: Duration = Duration::from_millis(500);
/// Requests that are sent while a breaker is open.
const ASKED: u64 = 30;

/// Calls that need a service, and calls that do not. Each path is requested once, so that no cached response hides the
/// service.
struct Needs {
    service: Target,
    /// The remote procedure that the gateway calls for a path, and that no other process calls in this test.
    rpc: &'static str,
    path: fn(usize) -> String,
    others: &'static [&'static str],
}

const ALL: [Needs; 4] = [
    Needs {
        service: Target::Places,
        rpc: "ListListings",
        path: |number| format!("/api/v2/listings/?keywords=k{number}"),
        others: &[
            "/news/bridge/",
            "/news/",
            "/api/v2/articles/",
            "/api/v2/profiles/status/",
        ],
    },
    Needs {
        service: Target::Editorial,
        rpc: "ListItems",
        path: |number| format!("/api/v2/articles/?keywords=k{number}"),
        others: &["/restaurants/", "/api/v2/listings/", "/api/v2/favourites/"],
    },
    Needs {
        service: Target::Bookmarks,
        rpc: "ListBookmarks",
        path: |_| "/api/v2/favourites/".to_owned(),
        others: &["/", "/api/v2/profiles/status/"],
    },
    Needs {
        service: Target::Identity,
        rpc: "Authenticate",
        path: |_| "/api/v2/profiles/me/".to_owned(),
        others: &["/neighbourhoods/", "/api/v2/listing-types/"],
    },
];

/// The calls of the first gateway to a service, by its own count.
#[derive(Debug)]
struct Calls {
    /// Calls that were not answered in time.
    late: u64,
    /// Calls that the gateway answered with `UNAVAILABLE`.
    unavailable: u64,
    /// The number of all calls that were made.
    made: u64,
    /// The number of calls that the breaker answered.
    spared: u64,
}

impl Calls {
    async fn of(split: &Split, service: Target) -> Self {
        let page = gateway_metrics(split).await;
        let rpc = format!("rpc=\"/cityguide.{}.", service.name());
        let callee = format!("callee=\"{}\"", service.name());
        let calls = "rpc_client_duration_seconds_count";
        let unavailable = sum(&page, calls, &[&rpc, "code=\"14\""]);
        Self {
            late: sum(&page, calls, &[&rpc, "code=\"4\""]),
            unavailable,
            made: sum(&page, calls, &[&rpc]) - unavailable,
            spared: sum(&page, "rpc_client_spared_calls_total", &[&callee]),
        }
    }
}

async fn gateway_metrics(split: &Split) -> String {
    let gateway = split.internal(Target::Gateway);
    let page = reqwest::get(format!("http://{gateway}/metrics"));
    page.await.expect("answers").text().await.expect("text")
}

/// The sum of a metric's samples that have all labels.
fn sum(page: &str, metric: &str, labels: &[&str]) -> u64 {
    let lines = page.lines().filter(|line| line.starts_with(metric));
    lines
        .filter(|line| labels.iter().all(|label| line.contains(label)))
        .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok())
        .sum()
}

/// The calls of a remote procedure that the first gateway sent, and those that reached the service, by their own
/// counts. Other services' calls, such as those that keep the search index, are of other procedures.
async fn sent_and_received(split: &Split, service: Target, rpc: &str) -> (u64, u64) {
    let label = format!("/{rpc}\"");
    let page = gateway_metrics(split).await;
    let calls = "rpc_client_duration_seconds_count";
    let sent = sum(&page, calls, &[&label]) - sum(&page, calls, &[&label, "code=\"14\""]);
    let received = counted(
        split.internal(service),
        "rpc_server_duration_seconds_count",
        &label,
    );
    (sent, received.await)
}

/// Requests all paths that need no stopped service.
async fn all_answer(service: Target, others: &[&str], reader: &Browser, guest: &Browser) {
    for other in others {
        // Readers' own calls need identity, which is stopped in another round.
        let is_personal = other.contains("favourites") || other.contains("status");
        let browser = if is_personal { reader } else { guest };
        let status = browser.get(other).await.status();
        assert_eq!(status, StatusCode::OK, "{service:?}: {other}");
    }
}

/// While a breaker is open, it answers the gateway's calls itself, except one call in each pause.
async fn nothing_is_called(
    split: &Split,
    service: Target,
    ask: &mut impl AsyncFnMut() -> StatusCode,
) {
    let before = Calls::of(split, service).await;
    let begun = Instant::now();
    for _ in 0..ASKED {
        assert_eq!(ask().await, StatusCode::SERVICE_UNAVAILABLE, "{service:?}");
    }
    let waited = begun.elapsed();
    let after = Calls::of(split, service).await;
    let (tried, spared) = (after.made - before.made, after.spared - before.spared);
    // Each call that the breaker let through began after a pause, and waited for the full timeout.
    let each = PAUSE + Duration::from_millis(READ_MILLISECONDS);
    let most = 1 + u64::try_from(waited.as_millis() / each.as_millis()).expect("a number");
    assert!(tried <= most, "{service:?}: {tried} calls in {waited:?}");
    assert_eq!(
        tried,
        after.late - before.late,
        "{service:?}: nothing answers"
    );
    assert_eq!(
        spared,
        after.unavailable - before.unavailable,
        "{service:?}"
    );
    assert!(spared + tried >= ASKED, "{service:?}: {before:?} {after:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_needs_a_stopped_service_is_503_at_once_and_nothing_else_waits() {
    let mut split = Split::start_with(|settings| {
        settings.rpc.read_timeout_milliseconds = READ_MILLISECONDS;
        // Only requests make gateways call editorial.
        settings.public_cache.max_name_bytes = 0;
    })
    .await;
    items::publish(&split.settings, items::output()).await;
    let reader = Browser::at(&split.gateways[0]);
    reader.sign_up("ada@example.com").await;
    let guest = Browser::at(&split.gateways[0]);
    for Needs {
        service,
        rpc,
        path,
        others,
    } in ALL
    {
        // These paths have not been requested before.
        let mut paths = (0..).map(path);
        let mut ask = async || reader.get(&paths.next().expect("endless")).await.status();
        assert_eq!(ask().await, StatusCode::OK, "{service:?}");
        let (had_sent, had_received) = sent_and_received(&split, service, rpc).await;
        let before = Calls::of(&split, service).await;
        split.process(service).signal("STOP").await;

        all_answer(service, others, &reader, &guest).await;
        until("it is left alone", async || {
            assert_eq!(ask().await, StatusCode::SERVICE_UNAVAILABLE, "{service:?}");
            (Calls::of(&split, service).await.spared > before.spared).then_some(())
        })
        .await;
        nothing_is_called(&split, service, &mut ask).await;
        all_answer(service, others, &reader, &guest).await;

        split.process(service).signal("CONT").await;
        until("it is used again", async || {
            (ask().await == StatusCode::OK).then_some(())
        })
        .await;
        // Calls that were sent while the service was stopped arrive late; calls that the breaker answered never arrive.
        let (sent, received) = sent_and_received(&split, service, rpc).await;
        let (sent, received) = (sent - had_sent, received - had_received);
        assert!(
            0 < received && received <= sent,
            "{service:?}: {received} calls of {sent}"
        );
    }
    let kept = reader
        .post("/api/v2/favourites/", &json!({"listing": 1}))
        .await;
    assert_eq!(kept.status(), StatusCode::CREATED);
}
