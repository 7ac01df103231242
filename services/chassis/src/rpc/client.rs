//! The client side of the rpc stack: adds the trace context, the deadline and the caller token with the actor to every
//! call, and measures it.

use std::{
    error::Error,
    time::{Duration, Instant},
};

use cityguide_proto::Contract;
use http::{HeaderValue, Request, Response, Uri};
use opentelemetry_http::HeaderInjector;
use tonic::{Status, body::Body, transport::Endpoint};
use tower::{Service, ServiceExt};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::{Tls, Transport, breaker, deadline, one_task::OneTask, unsent};
use crate::{
    actor::Actor,
    call::{CALLER_HEADER, Call, CallerTokens},
    error::{Code, Fault},
};

/// The connection timeout, after which a service counts as unavailable.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);

/// The minimum time for a call. With less time left, the call fails without being sent: otherwise, a client that delays
/// its requests until just before the deadline would make a service appear too slow for everyone else.
pub const MIN_TIME: Duration = Duration::from_millis(250);

/// The configuration of the client side.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Signs the caller token.
    pub tokens: CallerTokens,
    /// The timeout of calls that only read; other calls may take until the deadline of their request.
    pub read_timeout: Duration,
}

/// The transport to a service in this process, over its guarded routes.
#[must_use]
pub fn local(
    service: &str,
    contract: Contract,
    guarded: Transport,
    outgoing: Outgoing,
) -> Transport {
    calling(service, contract, guarded, outgoing)
}

/// The transport to a service in another process. It connects at the first call and reconnects after the connection is
/// lost; a call that was not sent is retried, and a circuit breaker protects against a service that does not respond.
/// The address must be https with TLS and http without, so that a process without its TLS configuration fails at
/// startup instead of sending clear text.
pub fn remote(
    service: &str,
    contract: Contract,
    url: &str,
    tls: Option<&Tls>,
    outgoing: Outgoing,
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
        .executor(OneTask::start())
        .connect_lazy();
    let send = unsent::retrying(channel, contract);
    Ok(calling(service, contract, send, outgoing))
}

fn calling<S>(service: &str, contract: Contract, inner: S, outgoing: Outgoing) -> Transport
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + Sync + 'static,
    S::Future: Send,
    S::Error: Error + Send + 'static,
{
    let send = Transport::new(move |request| send(inner.clone(), contract, request));
    let send = breaker::around(service, send);
    Transport::new(move |request| call(send.clone(), contract, outgoing.clone(), request))
}

/// Adds the headers of a call, and measures it.
async fn call(
    send: Transport,
    contract: Contract,
    outgoing: Outgoing,
    mut request: Request<Body>,
) -> Response<Body> {
    let Some(Call { caller, deadline }) = request.extensions().get::<Call>().copied() else {
        return Status::internal("a call without its context: use Call::request").into_http();
    };
    let mut remaining = deadline.saturating_duration_since(Instant::now());
    let is_late = remaining < MIN_TIME;
    if contract.is_read(request.uri().path()) {
        remaining = remaining.min(outgoing.read_timeout);
    }
    let path = request.uri().path();
    let rpc = contract.call_name(path);
    let token = outgoing.tokens.sign(caller, &Actor::current(), path);
    let headers = request.headers_mut();
    deadline::write(headers, remaining);
    if let Ok(token) = HeaderValue::from_str(&token) {
        headers.insert(CALLER_HEADER, token);
    }
    let context = tracing::Span::current().context();
    opentelemetry::global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&context, &mut HeaderInjector(headers));
    });

    request.extensions_mut().insert(Remaining(remaining));
    let begun = Instant::now();
    let answer = if is_late {
        late()
    } else {
        match send.oneshot(request).await {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    };
    metrics::histogram!("rpc_client_duration_seconds",
        "rpc" => rpc, "code" => super::server::grpc_code(&answer))
    .record(begun.elapsed());
    answer
}

/// The remaining time of a request when it is sent.
#[derive(Clone, Copy)]
struct Remaining(Duration);

/// Sends a request, and cancels it when its time is over.
async fn send<S>(inner: S, contract: Contract, request: Request<Body>) -> Response<Body>
where
    S: Service<Request<Body>, Response = Response<Body>> + Send,
    S::Future: Send,
    S::Error: Error + Send + 'static,
{
    let rpc = contract.call_name(request.uri().path());
    let remaining = request.extensions().get::<Remaining>().copied();
    let Some(Remaining(remaining)) = remaining else {
        return Status::internal("a call without its time").into_http();
    };
    // The timeout covers readiness and the call: otherwise, a channel that cannot connect would be awaited forever.
    match tokio::time::timeout(remaining, inner.oneshot(request)).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) if is_timeout(&error) => late(),
        Ok(Err(error)) => {
            tracing::warn!(rpc, %error, "the service could not be reached");
            Status::unavailable("the service could not be reached").into_http()
        }
        Err(_) => late(),
    }
}

fn late() -> Response<Body> {
    Status::deadline_exceeded("the service did not answer in time").into_http()
}

/// Whether the channel itself timed out: it also observes the header's deadline, and may expire first.
fn is_timeout(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |&error| error.source())
        .any(<dyn Error>::is::<tonic::TimeoutExpired>)
}
