//! The caller's side of the stack: trace context, deadline, caller token and metrics go out with
//! every call.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use cityguide_proto::call_name;
use http::{HeaderValue, Request, Response, Uri};
use opentelemetry_http::HeaderInjector;
use tonic::{Status, body::Body, transport::Endpoint};
use tower::{Service, ServiceExt};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::{Tls, Transport, deadline, unsent};
use crate::{
    call::{CALLER_HEADER, Call, CallerTokens},
    error::{Code, Fault},
};

/// The time in which a service must be reached; after it the service counts as unavailable.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);

/// The transport to a service that runs in this process, from its guarded routes.
#[must_use]
pub fn local(guarded: Transport, tokens: CallerTokens) -> Transport {
    outgoing(guarded, tokens)
}

/// The transport to a service elsewhere. The connection is made at the first call and again whenever it is
/// lost; a call that was not sent is sent again. The address must be https with TLS and http without: a
/// process whose configuration was forgotten fails at its start instead of sending plain text.
pub fn remote(
    service: &str,
    url: &str,
    tls: Option<&Tls>,
    tokens: CallerTokens,
) -> Result<Transport, Fault> {
    let refuse = |why: String| {
        let message = format!("settings: services.{service}.url {url:?} {why}");
        Fault::new(Code::Invalid, message)
    };
    let uri: Uri = url
        .parse()
        .map_err(|error| refuse(format!("is no URL: {error}")))?;
    let endpoint = match (uri.scheme_str(), tls) {
        (Some("https"), Some(tls)) => tls.of_client(Endpoint::from(uri))?,
        (_, Some(_)) => return Err(refuse("must be https, because rpc.tls is set".to_owned())),
        (Some("https"), None) => {
            return Err(refuse("is https, which wants rpc.tls to be set".to_owned()));
        }
        (_, None) => Endpoint::from(uri),
    };
    let channel = endpoint
        .connect_timeout(CONNECT_WITHIN)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(Duration::from_secs(10))
        .keep_alive_while_idle(true)
        .connect_lazy();
    Ok(outgoing(unsent::again(channel), tokens))
}

fn outgoing<S>(inner: S, tokens: CallerTokens) -> Transport
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + Sync + 'static,
    S::Future: Send,
    S::Error: Error + Send + 'static,
{
    Transport::new(move |request| call(inner.clone(), tokens.clone(), request))
}

async fn call<S>(inner: S, tokens: CallerTokens, mut request: Request<Body>) -> Response<Body>
where
    S: Service<Request<Body>, Response = Response<Body>> + Send,
    S::Future: Send,
    S::Error: Error + Send + 'static,
{
    let Some(Call {
        caller,
        deadline: until,
    }) = request.extensions().get::<Call>().copied()
    else {
        return Status::internal("a call without its context: use Call::request").into_http();
    };
    let remaining = until.saturating_duration_since(Instant::now());
    let rpc = call_name(request.uri().path());
    let headers = request.headers_mut();
    deadline::write(headers, remaining);
    if let Ok(token) = HeaderValue::from_str(&tokens.sign(caller)) {
        headers.insert(CALLER_HEADER, token);
    }
    let context = tracing::Span::current().context();
    opentelemetry::global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&context, &mut HeaderInjector(headers));
    });

    let begun = Instant::now();
    // The timeout covers readiness and call together: a channel that cannot connect would otherwise be waited
    // for without end.
    let answer = match tokio::time::timeout(remaining, inner.oneshot(request)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) if is_timeout(&error) => late(),
        Ok(Err(error)) => {
            tracing::warn!(rpc, %error, "the service could not be reached");
            Status::unavailable("the service could not be reached").into_http()
        }
        Err(_) => late(),
    };
    metrics::histogram!("rpc_client_duration_seconds",
        "rpc" => rpc, "code" => super::server::grpc_code(&answer))
    .record(begun.elapsed());
    answer
}

fn late() -> Response<Body> {
    Status::deadline_exceeded("the service did not answer in time").into_http()
}

/// Whether the channel gave up by itself: it also observes the header's deadline, and may be first.
fn is_timeout(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |&error| error.source())
        .any(<dyn Error>::is::<tonic::TimeoutExpired>)
}
