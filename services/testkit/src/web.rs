//! A stand-in for somebody else's web server, which answers exactly what a test writes, byte by byte if it likes.

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

/// The longest head of a request.
const MAX_HEAD: usize = 16 * 1024;

/// An answer.
#[derive(Debug, Clone)]
pub enum Page {
    /// These bytes, and the end of the connection.
    Bytes(Vec<u8>),
    /// These bytes, one at a time, with a pause after each.
    Drip(Vec<u8>, Duration),
    /// Nothing, for as long as the client waits.
    Hang,
}

impl Page {
    /// An answer with a status such as `200 OK`, header lines and a body. Its length is not told, unless a header does.
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

/// The server. It ends when it is dropped.
#[derive(Debug)]
pub struct WebStandIn {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    serving: JoinHandle<()>,
}

impl WebStandIn {
    /// A server on a free port of an address of this machine, such as `127.0.0.2`.
    ///
    /// # Panics
    /// If it cannot listen.
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

    /// Its address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The URL of a path.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Answers a path with a page from now on. Other paths are 404.
    pub fn set(&self, path: &str, page: Page) {
        locked(&self.state).pages.insert(path.to_owned(), page);
    }

    /// The heads of the requests for a path so far.
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

/// Answers one request. A client that goes away is no failure.
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
