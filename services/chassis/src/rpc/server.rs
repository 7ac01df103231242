//! The server side of the rpc stack: the span that continues the caller's trace, metrics, the deadline, the limit on
//! concurrent calls, and the caller and actor from the signed token.

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use cityguide_proto::Contract;
use futures::FutureExt;
use http::{Request, Response};
use metrics::Counter;
use opentelemetry_http::HeaderExtractor;
use tokio::{net::TcpListener, sync::Semaphore};
use tonic::{Status, body::Body, service::Routes, transport::Server};
use tower::ServiceExt;
use tracing::Instrument;
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::{Tls, Transport, deadline};
use crate::{
    actor::{Actor, with_actor},
    call::{CALLER_HEADER, Caller, CallerTokens, with_deadline},
    error::{Code, Fault},
    lifecycle::Lifecycle,
};

/// The checks and limits between a service's routes and its callers.
#[derive(Debug, Clone)]
pub struct Guard {
    /// Verifies caller tokens.
    pub tokens: CallerTokens,
    /// The maximum number of concurrent calls; further calls fail immediately with `UNAVAILABLE`.
    pub concurrency: usize,
    /// The maximum duration of a call, regardless of its deadline.
    pub timeout: Duration,
    /// The maximum duration of an operator's call.
    pub operators_timeout: Duration,
}

impl Guard {
    /// The time for a call: until its deadline, but at most the timeout.
    fn time_for(&self, caller: Caller, deadline: Option<Duration>) -> Duration {
        let longest = match caller {
            Caller::Guest | Caller::Reader(_) => self.timeout,
            Caller::Operator => self.operators_timeout,
        };
        deadline.map_or(longest, |deadline| deadline.min(longest))
    }

    /// The caller and actor in the request's token.
    fn caller<T>(&self, request: &Request<T>) -> Option<(Caller, Actor)> {
        let token = request.headers().get(CALLER_HEADER)?.to_str().ok()?;
        self.tokens.verify(token, request.uri().path())
    }
}

/// A service's routes wrapped in the server side of the stack.
#[must_use]
pub fn guarded(
    service: &'static str,
    contract: Contract,
    routes: Routes,
    guard: Guard,
) -> Transport {
    let permits = Arc::new(Semaphore::new(guard.concurrency));
    // Created here, so that the metric is 0 instead of absent before the first refusal.
    let refused = metrics::counter!("rpc_server_refused_callers_total", "service" => service);
    Transport::new(move |request| {
        let (routes, guard, permits) = (routes.clone(), guard.clone(), Arc::clone(&permits));
        let rpc = contract.call_name(request.uri().path());
        let (span, refused) = (span_of(service, rpc, &request), refused.clone());
        async move { handle((service, rpc), routes, guard, &permits, &refused, request).await }
            .instrument(span)
    })
}

/// Combines several guarded services behind one listener. The package of the contract selects the service:
/// `/cityguide.places.v1.Places/…` is places.
#[must_use]
pub fn together(services: Vec<(&'static str, Transport)>) -> Transport {
    let services: Arc<[_]> = services.into();
    Transport::new(move |request| {
        let package = request.uri().path().split('.').nth(1);
        let found = services.iter().find(|(name, _)| Some(*name) == package);
        let found = found.map(|(_, service)| service.clone());
        async move {
            let Some(service) = found else {
                return Status::unimplemented("that service does not run here").into_http();
            };
            match service.oneshot(request).await {
                Ok(answer) => answer,
                Err(never) => match never {},
            }
        }
    })
}

/// Serves guarded services on a listener until the process stops, then drains. With TLS, callers without a certificate
/// from the system's authority are refused.
pub async fn serve(
    listener: TcpListener,
    service: Transport,
    tls: Option<Tls>,
    life: Lifecycle,
) -> Result<(), Fault> {
    let incoming = tonic::transport::server::TcpIncoming::from(listener).with_nodelay(Some(true));
    let service = tower::util::BoxCloneService::new(service);
    let server = match tls {
        Some(tls) => tls.of_server()?,
        None => Server::builder(),
    };
    server
        .serve_with_incoming_shutdown(service, incoming, async move { life.stopping().await })
        .await
        .map_err(|error| Fault::new(Code::Internal, format!("the rpc server ended: {error}")))
}

fn span_of(service: &'static str, rpc: &'static str, request: &Request<Body>) -> tracing::Span {
    let span = tracing::info_span!(
        "rpc",
        otel.name = rpc.trim_start_matches('/'),
        otel.kind = "server",
        service
    );
    let parent = opentelemetry::global::get_text_map_propagator(|propagator| {
        propagator.extract(&HeaderExtractor(request.headers()))
    });
    // This fails only without a tracing layer, and then there is no trace to continue.
    let _ = span.set_parent(parent);
    span
}

async fn handle(
    (service, rpc): (&'static str, &'static str),
    routes: Routes,
    guard: Guard,
    permits: &Semaphore,
    refused: &Counter,
    mut request: Request<Body>,
) -> Response<Body> {
    let begun = Instant::now();
    let answer = if let Some((caller, actor)) = guard.caller(&request) {
        let timeout = guard.time_for(caller, deadline::read(request.headers()));
        request.extensions_mut().insert(caller);
        match permits.try_acquire() {
            Ok(_permit) => with_actor(actor, answer(routes, request, timeout)).await,
            Err(_) => {
                Status::unavailable("the service is at its bound of concurrent calls").into_http()
            }
        }
    } else {
        refused.increment(1);
        let message = "the caller token is missing, signed with an unknown key, or expired: compare \
                       internal.key and the clocks of the processes";
        Status::from(Fault::new(Code::CallerRefused, message)).into_http()
    };
    metrics::histogram!("rpc_server_duration_seconds",
        "service" => service, "rpc" => rpc, "code" => grpc_code(&answer))
    .record(begun.elapsed());
    answer
}

async fn answer(routes: Routes, request: Request<Body>, timeout: Duration) -> Response<Body> {
    let work = with_deadline(Instant::now() + timeout, routes.oneshot(request));
    let work = AssertUnwindSafe(work).catch_unwind();
    match tokio::time::timeout(timeout, work).await {
        Ok(Ok(Ok(answer))) => answer,
        Ok(Ok(Err(never))) => match never {},
        Ok(Err(_panic)) => {
            tracing::error!("a handler panicked");
            Status::internal("a handler panicked").into_http()
        }
        Err(_) => {
            Status::deadline_exceeded("the call took longer than its caller waits").into_http()
        }
    }
}

/// A response's numeric gRPC code, for metrics; error responses contain it in their headers.
pub(super) fn grpc_code(answer: &Response<Body>) -> String {
    answer
        .headers()
        .get("grpc-status")
        .and_then(|code| code.to_str().ok())
        .unwrap_or("0")
        .to_owned()
}
