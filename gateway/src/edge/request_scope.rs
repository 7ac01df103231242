//! What surrounds a request: its id, its span, its measure, and a last catch for panics.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use chassis::{
    entropy::{self, SharedEntropy},
    error::{Code, Fault},
};
use futures::FutureExt;
use http::HeaderValue;
use tracing::Instrument;

use super::error::ApiError;

/// Gives the request an id and a span and measures it by route. The id is ours: what a client sends
/// is not trusted into logs.
pub(crate) async fn enter(
    State(entropy): State<SharedEntropy>,
    request: Request,
    next: Next,
) -> Response {
    let id = entropy::uuid(entropy.as_ref()).to_string();
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or_else(|| Arc::from("page"), |path| Arc::<str>::from(path.as_str()));
    let span = tracing::info_span!(
        "http",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        request_id = id,
    );
    let begun = Instant::now();
    let mut response = AssertUnwindSafe(next.run(request))
        .catch_unwind()
        .instrument(span.clone())
        .await
        .unwrap_or_else(|_| {
            let _entered = span.enter();
            ApiError::from(Fault::new(Code::Internal, "a handler panicked")).into_response()
        });
    let status = response.status();
    metrics::histogram!("http_server_duration_seconds",
        "method" => method.to_string(), "route" => route.to_string(),
        "status" => status.as_str().to_owned())
    .record(begun.elapsed());
    span.in_scope(|| tracing::debug!(status = status.as_u16(), "answered"));
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", id);
    }
    response
}
