//! A stand-in for an external web server, with full control over the bytes of responses.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// Maximum size of a request's head.
const MAX_HEAD: usize = 16 * 1024;

/// A response.
#[derive(Debug, Clone)]
pub enum Page {
    /// These bytes, followed by the end of the connection.
    Bytes(Vec<u8>),
    /// These bytes, one at a time, with a pause after each.
    Drip(Vec<u8>, Duration),
    /// No response, as long as the client waits.
    Hang,
}

impl Page {
    /// A response with a status such as `200 OK`, header lines and a body. `Content-Length` is only sent if it is one
    /// of the headers.
    #[must_use]
    pub fn new(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Self {
        let mut bytes = format!("HTTP/1.1 {status}\r\nConnection: close\r\n").into_bytes();
        for header in headers {
            bytes.extend_from_slice(format!("{header}\r\n").as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(body.as_ref());
        Self::Bytes(bytes)
    }

    /// A redirect.
    #[must_use]
    pub fn redirect(to: &str) -> Self {
        Self::new(
            "302 Found",
            &[&format!("Location: {to}"), "Content-Length: 0"],
            "",
        )
    }
}

#[derive(Debug, Default)]
struct State {
    pages: HashMap<String, Page>,
    /// Heads of requests.
    asked: Vec<String>,
}

/// The server, which runs until dropped.
#[derive(Debug)]
pub struct WebStandIn {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    serving: JoinHandle<()>,
}

impl WebStandIn {
    /// Starts a server on a free port of a local address, such as `127.0.0.2`.
    ///
    /// # Panics
    /// If it cannot be started.
    #[expect(clippy::expect_used, reason = "a test that cannot go on has failed")]
    pub async fn start(address: &str) -> Self {
        let address: IpAddr = address.parse().expect("an address");
        let listener = TcpListener::bind((address, 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, Arc::clone(&shared)));
            }
        });
        Self {
            address,
            state,
            serving,
        }
    }

    /// Returns the address of the server.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Serves a page at this path from now on. Other paths are 404.
    pub fn set(&self, path: &str, page: Page) {
        locked(&self.state).pages.insert(path.to_owned(), page);
    }

    /// Returns the heads of the requests for a path so far.
    #[must_use]
    pub fn asked(&self, path: &str) -> Vec<String> {
        let begin = format!("GET {path} ");
        let state = locked(&self.state);
        let asked = state.asked.iter().filter(|head| head.starts_with(&begin));
        asked.cloned().collect()
    }
}

impl Drop for WebStandIn {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn locked(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Responds to one request. A disconnected client is not a failure.
async fn answer(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") && head.len() < MAX_HEAD {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let page = {
        let mut state = locked(&state);
        state.asked.push(head);
        state.pages.get(&path).cloned()
    };
    match page.unwrap_or_else(|| Page::new("404 Not Found", &["Content-Length: 0"], "")) {
        Page::Bytes(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Page::Drip(bytes, pause) => {
            for byte in bytes {
                if stream.write_u8(byte).await.is_err() {
                    return;
                }
                tokio::time::sleep(pause).await;
            }
        }
        Page::Hang => {
            let _ = stream.read_u8().await;
        }
    }
}
