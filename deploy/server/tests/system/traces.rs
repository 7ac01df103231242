//! One favourite on one trace: from HTTP through gRPC and SQL to the broker, and on to identity and
//! both gateways.

use std::collections::HashMap;

use serde_json::json;
use testkit::until;

use crate::{
    collector::{Collector, Span},
    site::{Site, Split},
};

/// The spans of the trace that begins with a request, by process and name.
fn trace_of(spans: &[Span], root: &str) -> HashMap<(String, String), Vec<Span>> {
    let Some(root) = spans.iter().find(|span| span.name == root) else {
        return HashMap::new();
    };
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    for span in spans.iter().filter(|span| span.trace == root.trace) {
        let key = (span.service.clone(), span.name.clone());
        found.entry(key).or_default().push(span.clone());
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn one_favourite_is_followed_through_every_hop_on_one_trace() {
    let collector = Collector::start().await;
    let site = Site::Split(
        Split::start_with(|settings| collector.url().clone_into(&mut settings.otlp.url)).await,
    );
    let browser = site.browser();
    browser.sign_up("ada@example.com").await;
    browser
        .post("/api/v2/favourites/", &json!({"listing": 1}))
        .await;

    let root = "POST /api/v2/favourites/";
    let expected = [
        // The process, the span's name, and its parent.
        ("cityguide-gateway", root, None),
        (
            "cityguide-bookmarks",
            "cityguide.bookmarks.v1.Bookmarks/CreateBookmark",
            Some(root),
        ),
        (
            "cityguide-bookmarks",
            "bookmarks.insert",
            Some("cityguide.bookmarks.v1.Bookmarks/CreateBookmark"),
        ),
        (
            "cityguide-bookmarks",
            "publish profile.last_updates",
            Some("cityguide.bookmarks.v1.Bookmarks/CreateBookmark"),
        ),
        (
            "cityguide-identity",
            "consume identity.last_updates",
            Some("publish profile.last_updates"),
        ),
        (
            "cityguide-gateway",
            "consume gateway.last_updates",
            Some("publish profile.last_updates"),
        ),
    ];
    let trace = until("every hop is on the trace", async || {
        let trace = trace_of(&collector.spans(), root);
        let has = |(service, name, _): &(&str, &str, Option<&str>)| {
            trace.contains_key(&((*service).to_owned(), (*name).to_owned()))
        };
        expected.iter().all(has).then_some(trace)
    })
    .await;
    let ids_of = |name: &str| -> Vec<Vec<u8>> {
        let named = trace.iter().filter(|((_, known), _)| known == name);
        named
            .flat_map(|(_, spans)| spans)
            .map(|span| span.id.clone())
            .collect()
    };
    for (service, name, parent) in expected {
        for span in &trace[&(service.to_owned(), name.to_owned())] {
            match parent {
                None => assert!(span.parent.is_empty(), "{span:?}"),
                Some(parent) => assert!(ids_of(parent).contains(&span.parent), "{span:?}"),
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_gateway_keeps_has_a_span_each_time_it_is_asked_for() {
    let collector = Collector::start().await;
    let site = Site::Split(
        Split::start_with(|settings| collector.url().clone_into(&mut settings.otlp.url)).await,
    );
    let browser = site.browser();
    for _ in 0..4 {
        browser.get("/api/v2/listing-types/").await;
    }
    until("four spans", async || {
        let spans = collector.spans();
        let of_it = spans
            .iter()
            .filter(|span| span.name == "GET /api/v2/listing-types/");
        (of_it.count() == 4).then_some(())
    })
    .await;
}
