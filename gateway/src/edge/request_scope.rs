//! The outermost layer of a request: id, span, deadline, actor, metrics and panic handling.

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use chassis::{
    actor::with_actor,
    call::with_deadline,
    entropy::{self, EntropyAhead, SharedEntropy},
    error::{Code, Fault},
    trace::{ClientTrace, ClientTraces, TRACEPARENT},
};
use futures::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use metrics::Histogram;
use tracing::{Instrument, Span};
use uuid::Uuid;

use super::{
    error::ApiError,
    limits::Limits,
    upload::{Uploads, is_upload},
};
use crate::services::Clients;

/// Service calls end by a request's deadline and report their own errors. Any other wait of a handler ends this long
/// after the deadline.
const MARGIN: Duration = Duration::from_millis(500);

/// The header that carries a request's id.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Generates request ids. A client's own id is neither trusted nor logged.
#[derive(Clone)]
pub(crate) struct RequestIds(Arc<EntropyAhead>);

impl RequestIds {
    pub(crate) fn new(entropy: SharedEntropy) -> Self {
        Self(Arc::new(EntropyAhead::new(entropy)))
    }

    pub(super) fn next(&self) -> Uuid {
        entropy::uuid(&*self.0)
    }
}

/// Assigns an id, span, deadline and actor to a request and measures it by route.
pub(crate) async fn enter(
    State(ids): State<RequestIds>,
    State(services): State<Clients>,
    State(uploads): State<Uploads>,
    State(limits): State<Limits>,
    State(traces): State<ClientTraces>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let id = ids.next();
    let method = request.method().clone();
    let route = route(request.extensions().get());
    let span = span(&method, &route, id);
    traces.continue_in(&span, || client_trace(request.headers()));
    let deadline = if is_upload(&request) {
        uploads.deadline(begun)
    } else {
        services.deadline(begun)
    };
    let work = with_actor(limits.actor(&request), next.run(request));
    let work = with_deadline(deadline, work);
    let work = tokio::time::timeout_at((deadline + MARGIN).into(), work);
    let answered = match AssertUnwindSafe(work)
        .catch_unwind()
        .instrument(span.clone())
        .await
    {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(_)) => Err(Fault::new(
            Code::DeadlineExceeded,
            "the request took too long",
        )),
        Err(_) => Err(Fault::new(Code::Internal, "a handler panicked")),
    };
    let mut response = answered.unwrap_or_else(|fault| {
        let _entered = span.enter();
        ApiError::from(fault).into_response()
    });
    duration(&method, &route, response.status()).record(begun.elapsed());
    end(&span, &mut response, id);
    response
}

/// Returns the trace that the client has begun, if any.
pub(super) fn client_trace(headers: &HeaderMap) -> Option<ClientTrace> {
    ClientTrace::parse(headers.get(TRACEPARENT)?.to_str().ok()?)
}

/// Returns the route's name in metrics and spans.
pub(super) fn route(matched: Option<&MatchedPath>) -> Arc<str> {
    matched.map_or_else(|| Arc::from("page"), |path| Arc::from(path.as_str()))
}

/// Returns the method's name in metrics and spans: a standard HTTP method, otherwise `_OTHER`, following
/// OpenTelemetry's conventions for HTTP. Clients' made-up methods thus create no metric series.
fn method_name(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        "CONNECT" => "CONNECT",
        "TRACE" => "TRACE",
        _ => "_OTHER",
    }
}

pub(super) fn span(method: &Method, route: &str, id: Uuid) -> Span {
    tracing::info_span!(
        "http",
        otel.name = format!("{} {route}", method_name(method)),
        otel.kind = "server",
        request_id = %id,
    )
}

/// Returns the histogram of response times in seconds.
pub(super) fn duration(method: &Method, route: &Arc<str>, status: StatusCode) -> Histogram {
    metrics::histogram!("http_server_duration_seconds",
        "method" => method_name(method), "route" => route.to_string(),
        "status" => status.as_str().to_owned())
}

/// Adds the id to the response, and the status to the span.
pub(super) fn end(span: &Span, response: &mut Response, id: Uuid) {
    let status = response.status().as_u16();
    span.in_scope(|| tracing::debug!(status, "answered"));
    let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
    if let Ok(id) = HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
}
