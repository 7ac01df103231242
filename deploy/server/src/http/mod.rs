//! HTTP server with connection limits and timeouts for clients that do not send or read.

mod clients;
mod unread;
mod version;
mod waiting;

use std::{
    convert::Infallible,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use axum::{
    body::Body,
    extract::{ConnectInfo, Request},
    response::Response,
};
use chassis::lifecycle::Lifecycle;
use gateway::HttpSettings;
use hyper::{
    body::Incoming,
    server::conn::{http1, http2},
    service::service_fn,
};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use metrics::Gauge;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
};
use tokio_io_timeout::TimeoutWriter;
use tower::Service;

pub(crate) use self::clients::PerClient;
use self::{
    version::is_http2,
    waiting::{Heard, Waiting},
};

/// Pause after a failure to accept a connection for a local reason, such as too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long idle connections may still send a request when the process stops.
const STOP_MARGIN: Duration = Duration::from_millis(500);
/// Interval of HTTP/2 pings, and the timeout of their acknowledgement.
const PING_INTERVAL: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(20);
/// Response to an incomplete request head.
const REQUEST_TIMEOUT: &[u8] =
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// Limits of a server's connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    connections: usize,
    timeouts: waiting::Timeouts,
    write_timeout: Duration,
}

impl Bounds {
    pub(crate) fn new(settings: &HttpSettings) -> Self {
        Self {
            connections: settings.max_connections,
            timeouts: waiting::Timeouts {
                idle: Duration::from_secs(settings.idle_timeout_seconds),
                head: Duration::from_secs(settings.head_timeout_seconds),
            },
            write_timeout: Duration::from_secs(settings.write_timeout_seconds),
        }
    }
}

/// A connection to a client. Writing fails if the client reads nothing within the write timeout.
type Stream = Pin<Box<TimeoutWriter<TcpStream>>>;

struct Server<S> {
    listener: TcpListener,
    service: S,
    bounds: Bounds,
    clients: Option<PerClient>,
    slots: Arc<Semaphore>,
    open: Gauge,
    life: Lifecycle,
}

/// A slot of the connection limit.
struct Slot {
    open: Gauge,
    _permit: OwnedSemaphorePermit,
}

impl Slot {
    fn new(open: &Gauge, permit: OwnedSemaphorePermit) -> Self {
        open.increment(1);
        Self {
            open: open.clone(),
            _permit: permit,
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.open.decrement(1);
    }
}

/// Serves until the process stops; current requests are completed. `clients` limits the connections of each client.
pub(crate) fn serve<S>(
    name: &'static str,
    listener: TcpListener,
    service: S,
    bounds: Bounds,
    clients: Option<PerClient>,
    life: &Lifecycle,
) where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    let limit = u32::try_from(bounds.connections).unwrap_or(u32::MAX);
    metrics::gauge!("http_connections_limit", "server" => name).set(limit);
    let server = Arc::new(Server {
        listener,
        service,
        bounds,
        clients,
        slots: Arc::new(Semaphore::new(bounds.connections)),
        open: metrics::gauge!("http_connections", "server" => name),
        life: life.clone(),
    });
    server.open.set(0);
    life.supervise(name, move || Arc::clone(&server).accept());
}

impl<S> Server<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    async fn accept(self: Arc<Self>) {
        // A hard stop drops the connections together with this task.
        let mut connections = JoinSet::new();
        loop {
            // At the limit, further clients wait in the kernel's queue.
            let permit = tokio::select! {
                () = self.life.stopping() => break,
                permit = Arc::clone(&self.slots).acquire_owned() => permit,
            };
            // Cannot fail: the semaphore is never closed.
            let Ok(permit) = permit else { break };
            let accepted = tokio::select! {
                () = self.life.stopping() => break,
                accepted = self.listener.accept() => accepted,
            };
            while connections.try_join_next().is_some() {}
            match accepted {
                Ok((stream, peer)) => {
                    let clients = self.clients.as_ref();
                    let connected = clients.map(|clients| clients.connect(peer.ip()));
                    let Ok(connected) = connected.transpose() else {
                        continue;
                    };
                    let slot = (Slot::new(&self.open, permit), connected);
                    let server = Arc::clone(&self);
                    connections.spawn(async move {
                        let _slot = slot;
                        if let Err(error) = server.converse(stream, peer).await {
                            tracing::debug!(%error, "a connection ended early");
                        }
                    });
                }
                Err(error) if is_of_client(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "connections cannot be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        while connections.join_next().await.is_some() {}
    }

    async fn converse(&self, stream: TcpStream, peer: SocketAddr) -> Result<(), Ended> {
        stream.set_nodelay(true)?;
        let is_http2 = tokio::select! {
            is_http2 = is_http2(&stream) => is_http2?,
            () = self.no_version(&stream) => return Ok(()),
            () = self.stopped_for_a_moment() => return Ok(()),
        };
        let mut stream = TimeoutWriter::new(stream);
        stream.set_timeout(Some(self.bounds.write_timeout));
        let stream = Box::pin(stream);
        if is_http2 {
            self.converse_http2(stream, peer).await
        } else {
            self.converse_http1(stream, peer).await
        }
    }

    /// Waits until a client has sent nothing for the idle timeout, or an incomplete preface for the timeout of a head.
    async fn no_version(&self, stream: &TcpStream) {
        let timeouts = self.bounds.timeouts;
        if let Ok(Ok(_)) = tokio::time::timeout(timeouts.idle, stream.peek(&mut [0])).await {
            tokio::time::sleep(timeouts.head).await;
        }
    }

    /// Waits for a stop and a short margin. A stop does not wait for idle connections, which browsers open ahead of
    /// requests, but accepts requests that are already on their way.
    async fn stopped_for_a_moment(&self) {
        self.life.stopping().await;
        tokio::time::sleep(STOP_MARGIN).await;
    }

    async fn converse_http1(&self, stream: Stream, peer: SocketAddr) -> Result<(), Ended> {
        let waiting = Arc::new(Waiting::new());
        let answer = service_fn(|request: hyper::Request<Incoming>| {
            let mut service = self.service.clone();
            let answering = waiting.answer();
            async move {
                let (request, unread) = unread::watched(request.map(Body::new));
                let mut response = service.call(with_peer(request, peer)).await?;
                unread::settle(unread, &mut response).await;
                Ok::<_, Infallible>(response.map(|body| answering.until_end_of(body)))
            }
        });
        let stream = TokioIo::new(Heard::new(stream, Arc::clone(&waiting)));
        let mut connection = http1::Builder::new().serve_connection(stream, answer);
        let mut waited = pin!(waiting.longer_than(self.bounds.timeouts));
        let mut stopping = pin!(self.life.stopping());
        let mut is_last_request = false;
        loop {
            tokio::select! {
                ended = &mut connection => return Ok(ended?),
                () = &mut waited => break,
                () = &mut stopping, if !is_last_request => {
                    Pin::new(&mut connection).graceful_shutdown();
                    is_last_request = true;
                }
            }
        }
        let parts = connection.into_parts();
        // An idle connection without a started request is closed without a response.
        if !parts.read_buf.is_empty() {
            parts
                .io
                .into_inner()
                .into_inner()
                .write_all(REQUEST_TIMEOUT)
                .await?;
        }
        Ok(())
    }

    async fn converse_http2(&self, stream: Stream, peer: SocketAddr) -> Result<(), Ended> {
        let waiting = Arc::new(Waiting::new());
        let (service, requests) = (self.service.clone(), Arc::clone(&waiting));
        let answer = service_fn(move |request: hyper::Request<Incoming>| {
            let mut service = service.clone();
            let answering = requests.answer();
            async move {
                let response = service
                    .call(with_peer(request.map(Body::new), peer))
                    .await?;
                Ok::<_, Infallible>(response.map(|body| answering.until_end_of(body)))
            }
        });
        let mut connection = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .keep_alive_interval(PING_INTERVAL)
            .keep_alive_timeout(PING_TIMEOUT)
            .serve_connection(TokioIo::new(stream), answer);
        tokio::select! {
            ended = &mut connection => return Ok(ended?),
            () = self.life.stopping() => Pin::new(&mut connection).graceful_shutdown(),
            // Pings and incomplete heads do not keep a connection open.
            () = waiting.longer_than(self.bounds.timeouts) => {
                Pin::new(&mut connection).graceful_shutdown();
                let ended = tokio::time::timeout(self.bounds.timeouts.head, &mut connection);
                return Ok(ended.await.unwrap_or(Ok(()))?);
            }
        }
        Ok(connection.await?)
    }
}

type Ended = Box<dyn std::error::Error + Send + Sync>;

fn with_peer(mut request: Request, peer: SocketAddr) -> Request {
    request.extensions_mut().insert(ConnectInfo(peer));
    request
}

/// Whether a connection was lost before it was accepted, which does not affect other connections.
fn is_of_client(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(
        error.kind(),
        ConnectionAborted | ConnectionRefused | ConnectionReset
    )
}
