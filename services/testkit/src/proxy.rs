//! A proxy that does to a connection what networks and crashing servers do.

use std::{net::SocketAddr, sync::Arc};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

/// What the proxy does at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    /// Passes everything on.
    Open,
    /// Connections are accepted and held, and nothing passes: a server that is stopped.
    Stalled,
    /// Connections break and new ones are refused: a server that is gone.
    Cut,
}

/// Stands before a server on an address of its own.
#[derive(Debug)]
pub struct FaultProxy {
    address: SocketAddr,
    mood: Arc<watch::Sender<Mood>>,
}

impl FaultProxy {
    /// A proxy before a server; it passes everything on until it is told otherwise.
    ///
    /// # Panics
    /// Where no port is to be had.
    pub async fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .unwrap_or_else(|error| panic!("no port for a proxy: {error}"));
        let address = listener
            .local_addr()
            .unwrap_or_else(|error| panic!("no address for a proxy: {error}"));
        let mood = Arc::new(watch::Sender::new(Mood::Open));
        tokio::spawn(accept(listener, server, Arc::clone(&mood)));
        Self { address, mood }
    }

    /// Where to connect instead of the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The server is gone: its connections break, new ones too.
    pub fn cut(&self) {
        self.mood.send_replace(Mood::Cut);
    }

    /// The server is stopped: it holds its connections and says nothing.
    pub fn stall(&self) {
        self.mood.send_replace(Mood::Stalled);
    }

    /// The server is back.
    pub fn restore(&self) {
        self.mood.send_replace(Mood::Open);
    }
}

async fn accept(listener: TcpListener, server: SocketAddr, mood: Arc<watch::Sender<Mood>>) {
    while let Ok((client, _)) = listener.accept().await {
        if *mood.borrow() == Mood::Cut {
            continue;
        }
        let Ok(upstream) = TcpStream::connect(server).await else {
            continue;
        };
        for connection in [&client, &upstream] {
            // Without it small messages would wait for each other.
            let _ = connection.set_nodelay(true);
        }
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = upstream.into_split();
        tokio::spawn(pass(from_client, to_server, mood.subscribe()));
        tokio::spawn(pass(from_server, to_client, mood.subscribe()));
    }
}

/// Passes bytes on until one side ends or the connection is cut; both halves then go.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut mood: watch::Receiver<Mood>) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer) => read,
            _ = mood.wait_for(|mood| *mood == Mood::Cut) => return,
        };
        let Ok(length @ 1..) = read else { return };
        let goes_on = mood.wait_for(|mood| *mood != Mood::Stalled).await;
        if !goes_on.is_ok_and(|mood| *mood == Mood::Open) {
            return;
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
