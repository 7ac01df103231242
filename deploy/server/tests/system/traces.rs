//! One favourite on one trace: from HTTP through gRPC and SQL to the broker, and on to identity and
//! both gateways.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use opentelemetry_proto::tonic::{
    collector::trace::v1::{
        ExportTraceServiceRequest, ExportTraceServiceResponse,
        trace_service_server::{TraceService, TraceServiceServer},
    },
    common::v1::any_value::Value as Text,
};
use serde_json::json;
use testkit::until;
use tonic::{Request, Response, Status, async_trait};

use crate::site::{Site, Split, free};

/// A span as it was received.
#[derive(Debug, Clone)]
struct Span {
    service: String,
    name: String,
    trace: Vec<u8>,
    id: Vec<u8>,
    parent: Vec<u8>,
}

/// A collector that keeps what it receives.
#[derive(Debug, Clone, Default)]
struct Collector {
    spans: Arc<Mutex<Vec<Span>>>,
}

#[async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let mut spans = self.spans.lock().expect("no panic");
        for resource in request.into_inner().resource_spans {
            let service = resource
                .resource
                .iter()
                .flat_map(|resource| &resource.attributes)
                .find(|attribute| attribute.key == "service.name")
                .and_then(|attribute| attribute.value.as_ref()?.value.clone());
            let service = match service {
                Some(Text::StringValue(name)) => name,
                _ => String::new(),
            };
            for span in resource
                .scope_spans
                .into_iter()
                .flat_map(|scope| scope.spans)
            {
                spans.push(Span {
                    service: service.clone(),
                    name: span.name,
                    trace: span.trace_id,
                    id: span.span_id,
                    parent: span.parent_span_id,
                });
            }
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

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
    let collector = Collector::default();
    let address = free();
    tokio::spawn(
        tonic::transport::Server::builder()
            .add_service(TraceServiceServer::new(collector.clone()))
            .serve(address),
    );
    let site = Site::Split(Split::start_traced(&format!("http://{address}")).await);
    let browser = site.browser();
    browser.sign_up("ada@example.com").await;
    browser
        .post("/api/v2/favourites/", &json!({"listing": 1}))
        .await;

    let root = "POST /api/v2/favourites/";
    let expected = [
        // Who, what, and whose child it is.
        ("cityguide-gateway", root, None),
        (
            "cityguide-bookmarks",
            "cityguide.bookmarks.v1.Bookmarks/CreateFavourite",
            Some(root),
        ),
        (
            "cityguide-bookmarks",
            "favourites.insert",
            Some("cityguide.bookmarks.v1.Bookmarks/CreateFavourite"),
        ),
        (
            "cityguide-bookmarks",
            "publish profile.last_updates",
            Some("cityguide.bookmarks.v1.Bookmarks/CreateFavourite"),
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
        let trace = trace_of(&collector.spans.lock().expect("no panic"), root);
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
