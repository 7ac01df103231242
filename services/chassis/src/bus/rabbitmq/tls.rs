//! Connections to the broker over TLS. lapin's own TLS would add a second TLS stream implementation and a PKCS #12
//! parser with old ciphers, so lapin uses streams of the implementation used everywhere else.

use std::{
    io::{self, Read, Write},
    net::SocketAddr,
    os::fd::{AsFd, AsRawFd},
    sync::Arc,
    time::{Duration, Instant},
};

use async_rs::{Runtime, Tokio, traits::Reactor, util::RuntimeParts};
use futures::{
    Stream,
    io::{AsyncRead, AsyncWrite},
};
use lapin::{AsyncTcpStream, Connection, ConnectionProperties, uri::AMQPUri};
use tokio::net::TcpStream;
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{ClientConfig, pki_types::ServerName},
};
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};

/// Connects to the broker. The certificate must match the host of the address and be issued by the configured
/// authority.
pub(super) async fn connect(
    uri: AMQPUri,
    config: Arc<ClientConfig>,
    properties: ConnectionProperties,
) -> lapin::Result<Connection> {
    let parts = RuntimeParts::new(Tokio::current(), TlsReactor(Tokio::current()));
    let handshake = async move |uri: AMQPUri, _| {
        let stream = open(&uri, Arc::clone(&config)).await?;
        Ok(AsyncTcpStream::Plain(stream.compat()))
    };
    Connection::connector(uri, Runtime::new(parts), handshake, properties).await
}

async fn open(uri: &AMQPUri, config: Arc<ClientConfig>) -> io::Result<TlsStream<TcpStream>> {
    let (host, port) = (uri.authority.host.as_str(), uri.authority.port);
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    TlsConnector::from(config).connect(name, stream).await
}

/// Tokio's reactor with TLS streams.
#[derive(Debug, Clone)]
struct TlsReactor(Tokio);

impl Reactor for TlsReactor {
    type TcpStream = Compat<TlsStream<TcpStream>>;
    type Sleep = <Tokio as Reactor>::Sleep;

    fn register<H: Read + Write + AsFd + AsRawFd + Send + 'static>(
        &self,
        socket: H,
    ) -> io::Result<impl AsyncRead + AsyncWrite + Send + Unpin + 'static> {
        self.0.register(socket)
    }

    fn sleep(&self, duration: Duration) -> Self::Sleep {
        self.0.sleep(duration)
    }

    fn interval(&self, duration: Duration) -> impl Stream<Item = Instant> + Send + 'static {
        self.0.interval(duration)
    }

    fn tcp_connect_addr(
        &self,
        _: SocketAddr,
    ) -> impl Future<Output = io::Result<Self::TcpStream>> + Send + 'static {
        // A bare socket address has no host name to verify the certificate against, so streams are opened by `open`
        // instead.
        std::future::ready(Err(io::ErrorKind::Unsupported.into()))
    }
}
