//! The caller's side of the stack: trace context, deadline, caller token with the actor, and metrics go out with every
//! call.

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

/// The time in which a service must be reached; after it the service counts as unavailable.
const CONNECT_WITHIN: Duration = Duration::from_secs(2);

/// What the caller's side adds to calls.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Signs who is calling.
    pub tokens: CallerTokens,
    /// The longest that a call which only reads may take; others may take until the deadline of their request.
    pub read_timeout: Duration,
}

/// The transport to a service that runs in this process, from its guarded routes.
#[must_use]
pub fn local(
    service: &str,
    contract: Contract,
    guarded: Transport,
    outgoing: Outgoing,
) -> Transport {
    calling(service, contract, guarded, outgoing)
}

/// The transport to a service elsewhere. The connection is made at the first call and again whenever it is
/// lost; a call that was not sent is sent again, and a service that does not answer is left alone for a moment.
/// The address must be https with TLS and http without: a process whose configuration was forgotten fails at its
/// start instead of sending plain text.
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
    if contract.is_read(request.uri().path()) {
        remaining = remaining.min(outgoing.read_timeout);
    }
    let rpc = contract.call_name(request.uri().path());
    let headers = request.headers_mut();
    deadline::write(headers, remaining);
    if let Ok(token) = HeaderValue::from_str(&outgoing.tokens.sign(caller, &Actor::current())) {
        headers.insert(CALLER_HEADER, token);
    }
    let context = tracing::Span::current().context();
    opentelemetry::global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&context, &mut HeaderInjector(headers));
    });

    request.extensions_mut().insert(Remaining(remaining));
    let begun = Instant::now();
    let answer = if remaining.is_zero() {
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

/// The time that a request has left when it is sent.
#[derive(Clone, Copy)]
struct Remaining(Duration);

/// Sends a request, and gives it up when its time is over.
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
    // The timeout covers readiness and call together: a channel that cannot connect would otherwise be waited
    // for without end.
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

/// Whether the channel gave up by itself: it also observes the header's deadline, and may be first.
fn is_timeout(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |&error| error.source())
        .any(<dyn Error>::is::<tonic::TimeoutExpired>)
}
