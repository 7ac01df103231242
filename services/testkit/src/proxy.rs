//! A proxy that simulates failures of networks and servers.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

/// The currently simulated fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    /// No fault.
    Open,
    /// Data is delayed, as by a distant or busy server.
    Slow(Duration),
    /// Data passes at this many bytes per second, as on a slow line.
    Narrow(u32),
    /// Connections are accepted but no data passes, as with a suspended server.
    Stalled,
    /// Connections are closed and new ones are refused, as with a stopped server.
    Cut,
    /// All connections, including new ones, are reset (RFC 9293, 3.10.7), as by a machine that has lost its connection
    /// state in a restart.
    Reset,
}

/// A proxy in front of a server, on its own address.
#[derive(Debug)]
pub struct FaultProxy {
    address: SocketAddr,
    mood: Arc<watch::Sender<Mood>>,
}

impl FaultProxy {
    /// Starts a proxy in front of a server, without a fault.
    ///
    /// # Panics
    /// If no port is available.
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

    /// Starts a proxy in front of a URL's server (`scheme://user:password@address:port/…`). Returns it with the URL to
    /// use instead.
    ///
    /// # Panics
    /// If the URL has no IP address and port.
    pub async fn before_url(url: &str) -> (Self, String) {
        let begin = url.find("//").map_or(0, |at| at + 2);
        let begin = url.find('@').map_or(begin, |at| at + 1);
        let end = url[begin..]
            .find('/')
            .map_or(url.len(), |length| begin + length);
        let server = url[begin..end].parse();
        let server = server.unwrap_or_else(|error| panic!("no address of a server: {error}"));
        let proxy = Self::before(server).await;
        let url = format!("{}{}{}", &url[..begin], proxy.address, &url[end..]);
        (proxy, url)
    }

    /// Returns the address to connect to instead of the server's.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Simulates a stopped server: all connections are closed, including new ones.
    pub fn cut(&self) {
        self.mood.send_replace(Mood::Cut);
    }

    /// Simulates a suspended server: connections remain open without data.
    pub fn stall(&self) {
        self.mood.send_replace(Mood::Stalled);
    }

    /// Delays all data, in each direction.
    pub fn slow(&self, latency: Duration) {
        self.mood.send_replace(Mood::Slow(latency));
    }

    /// Limits each direction of each connection to this many bytes per second.
    pub fn narrow(&self, bytes_per_second: u32) {
        self.mood.send_replace(Mood::Narrow(bytes_per_second));
    }

    /// Resets all connections, including new ones.
    pub fn reset(&self) {
        self.mood.send_replace(Mood::Reset);
    }

    /// Ends the simulated fault.
    pub fn restore(&self) {
        self.mood.send_replace(Mood::Open);
    }
}

async fn accept(listener: TcpListener, server: SocketAddr, mood: Arc<watch::Sender<Mood>>) {
    while let Ok((client, _)) = listener.accept().await {
        match *mood.borrow() {
            Mood::Cut => continue,
            Mood::Reset => {
                let _ = client.set_zero_linger();
                continue;
            }
            Mood::Open | Mood::Slow(_) | Mood::Narrow(_) | Mood::Stalled => {}
        }
        let Ok(upstream) = TcpStream::connect(server).await else {
            continue;
        };
        for connection in [&client, &upstream] {
            // Otherwise small messages would be delayed.
            let _ = connection.set_nodelay(true);
        }
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = upstream.into_split();
        tokio::spawn(pass(from_client, to_server, mood.subscribe()));
        tokio::spawn(pass(from_server, to_client, mood.subscribe()));
    }
}

/// Passes on data until a side ends or the connection breaks; both halves are then dropped.
async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut mood: watch::Receiver<Mood>) {
    let mut buffer = vec![0; 16 * 1024];
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer) => read,
            broken = mood.wait_for(|mood| matches!(mood, Mood::Cut | Mood::Reset)) => {
                if broken.is_ok_and(|mood| *mood == Mood::Reset) {
                    // The half that is dropped last sends the reset.
                    let _ = from.as_ref().set_zero_linger();
                    let _ = to.as_ref().set_zero_linger();
                }
                return;
            }
        };
        let Ok(length @ 1..) = read else { return };
        let goes_on = mood.wait_for(|mood| *mood != Mood::Stalled).await;
        let Ok(mood) = goes_on.map(|mood| *mood) else {
            return;
        };
        let pause = match mood {
            Mood::Open => Duration::ZERO,
            Mood::Slow(latency) => latency,
            Mood::Narrow(rate) => Duration::from_secs_f64(
                f64::from(u32::try_from(length).unwrap_or(u32::MAX)) / f64::from(rate),
            ),
            Mood::Cut | Mood::Reset | Mood::Stalled => return,
        };
        tokio::time::sleep(pause).await;
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
