//! What surrounds a request: its id, its span, its measure, and a last catch for panics.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use chassis::{
    entropy::{self, EntropyAhead},
    error::{Code, Fault},
};
use futures::FutureExt;
use http::{HeaderName, HeaderValue, Method, StatusCode};
use metrics::Histogram;
use tracing::{Instrument, Span};
use uuid::Uuid;

use super::error::ApiError;
use crate::state::Edge;

/// The header that tells a request's id.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives a request an id and a span and measures it by route.
pub(crate) async fn enter(State(edge): State<Edge>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = id(&edge.ids);
    let method = request.method().clone();
    let route = route(request.extensions().get());
    let span = span(&method, &route, id);
    let mut response = AssertUnwindSafe(next.run(request))
        .catch_unwind()
        .instrument(span.clone())
        .await
        .unwrap_or_else(|_| {
            let _entered = span.enter();
            ApiError::from(Fault::new(Code::Internal, "a handler panicked")).into_response()
        });
    duration(&method, &route, response.status()).record(begun.elapsed());
    end(&span, &mut response, id);
    response
}

/// The id of a request. It is ours: what a client sends is not trusted into logs.
pub(super) fn id(ids: &EntropyAhead) -> Uuid {
    entropy::uuid(ids)
}

/// The name of a route in measures and spans.
pub(super) fn route(matched: Option<&MatchedPath>) -> Arc<str> {
    matched.map_or_else(|| Arc::from("page"), |path| Arc::from(path.as_str()))
}

pub(super) fn span(method: &Method, route: &str, id: Uuid) -> Span {
    tracing::info_span!(
        "http",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        request_id = %id,
    )
}

/// Measures the seconds that answers take.
pub(super) fn duration(method: &Method, route: &Arc<str>, status: StatusCode) -> Histogram {
    metrics::histogram!("http_server_duration_seconds",
        "method" => method.to_string(), "route" => route.to_string(),
        "status" => status.as_str().to_owned())
}

/// Tells the client the id, and the span the status.
pub(super) fn end(span: &Span, response: &mut Response, id: Uuid) {
    let status = response.status().as_u16();
    span.in_scope(|| tracing::debug!(status, "answered"));
    let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
    if let Ok(id) = HeaderValue::from_str(id.hyphenated().encode_lower(&mut text)) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
}
