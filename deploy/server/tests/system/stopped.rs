//! With a service stopped, what does not need it answers as before, and what does is told so at once.

use std::time::{Duration, Instant};

use cityguide::Target;
use reqwest::StatusCode;
use serde_json::json;
use testkit::until_within;

use crate::{app::Browser, cache::counted, items, site::Split};

/// The timeout of reads: longer than usual, because tests run side by side on few cores.
const READ_MILLISECONDS: u64 = 2_000;
/// A request that is told at once is answered within this time, on a machine that is busy with other tests.
const AT_ONCE: Duration = Duration::from_secs(1);

/// What needs a service, and what does not. Each path is asked once, so that no kept answer hides the service.
struct Needs {
    service: Target,
    path: fn(usize) -> String,
    others: &'static [&'static str],
}

const ALL: [Needs; 4] = [
    Needs {
        service: Target::Places,
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
        path: |number| format!("/api/v2/articles/?keywords=k{number}"),
        others: &["/restaurants/", "/api/v2/listings/", "/api/v2/favourites/"],
    },
    Needs {
        service: Target::Bookmarks,
        path: |_| "/api/v2/favourites/".to_owned(),
        others: &["/", "/api/v2/profiles/status/"],
    },
    Needs {
        service: Target::Identity,
        path: |_| "/api/v2/profiles/me/".to_owned(),
        others: &["/neighbourhoods/", "/api/v2/listing-types/"],
    },
];

async fn spared(split: &Split, service: Target) -> u64 {
    let gateway = split.internal(Target::Gateway);
    let label = format!("callee=\"{}\"", service.name());
    counted(gateway, "rpc_client_spared_calls_total", &label).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_needs_a_stopped_service_is_503_at_once_and_nothing_else_waits() {
    let mut split = Split::start_with(|settings| {
        settings.rpc.read_timeout_milliseconds = READ_MILLISECONDS;
    })
    .await;
    items::publish(&split.settings, items::output()).await;
    let reader = Browser::at(&split.gateways[0]);
    reader.sign_up("ada@example.com").await;
    let guest = Browser::at(&split.gateways[0]);
    for Needs {
        service,
        path,
        others,
    } in ALL
    {
        // Nobody asks for these before.
        let mut paths = (0..).map(path);
        let mut ask = async || reader.get(&paths.next().expect("endless")).await.status();
        assert_eq!(ask().await, StatusCode::OK, "{service:?}");
        split.process(service).signal("STOP").await;

        for other in others {
            // Readers' own calls need identity, which is stopped in its turn.
            let browser = if other.contains("favourites") || other.contains("status") {
                &reader
            } else {
                &guest
            };
            let begun = Instant::now();
            assert_eq!(
                browser.get(other).await.status(),
                StatusCode::OK,
                "{service:?}: {other}"
            );
            let limit = Duration::from_millis(READ_MILLISECONDS);
            assert!(
                begun.elapsed() < limit,
                "{service:?}: {other} waits {:?}",
                begun.elapsed()
            );
        }
        until_within("it is left alone", Duration::from_secs(30), async || {
            assert_eq!(ask().await, StatusCode::SERVICE_UNAVAILABLE, "{service:?}");
            (spared(&split, service).await > 0).then_some(())
        })
        .await;
        // One call in half a second may try, and waits.
        let before = spared(&split, service).await;
        let begun = Instant::now();
        while spared(&split, service).await == before {
            assert_eq!(ask().await, StatusCode::SERVICE_UNAVAILABLE, "{service:?}");
        }
        let longest = Duration::from_millis(READ_MILLISECONDS) + AT_ONCE;
        assert!(
            begun.elapsed() < longest,
            "{service:?}: {:?}",
            begun.elapsed()
        );

        split.process(service).signal("CONT").await;
        until_within("it is used again", Duration::from_secs(5), async || {
            (ask().await == StatusCode::OK).then_some(())
        })
        .await;
    }
    let kept = reader
        .post("/api/v2/favourites/", &json!({"listing": 1}))
        .await;
    assert_eq!(kept.status(), StatusCode::CREATED);
}
