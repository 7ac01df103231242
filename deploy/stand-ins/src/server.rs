//! HTTP server of a stand-in.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use tokio::{net::TcpListener, task::JoinHandle};

/// Serves on a local port (0 for a free port) until dropped.
#[derive(Debug)]
pub struct Server {
    /// The local address.
    pub address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Server {
    /// Starts serving.
    ///
    /// # Panics
    /// If the port is not free.
    pub async fn start(routes: Router, port: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .await
            .unwrap_or_else(|error| panic!("a port: {error}"));
        let address = listener
            .local_addr()
            .unwrap_or_else(|error| panic!("an address: {error}"));
        let serving = tokio::spawn(async move {
            // The server runs until the end of the test.
            let _ = axum::serve(listener, routes).await;
        });
        Self { address, serving }
    }

    /// The address of a resource: `/calendar`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}
