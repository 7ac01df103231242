//! Connections of hostile clients: incomplete, refused in the middle, not read, too many.

use std::{io::ErrorKind, net::SocketAddr, sync::Arc, time::Duration};

use chassis::clock::SystemClock;
use cityguide::Settings;
use testkit::until;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::app::App;

/// Far longer than any response in these tests takes: a hang is a failure.
const PATIENCE: Duration = Duration::from_secs(20);
/// A wait that is long enough for a response.
const MOMENT: Duration = Duration::from_millis(500);

async fn app(set: impl FnOnce(&mut Settings)) -> App {
    App::start_with(Arc::new(SystemClock), set).await
}

/// A client that writes and reads bytes.
struct Client(TcpStream);

impl Client {
    async fn connect(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.expect("connects"))
    }

    async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.expect("sends");
    }

    /// Reads until a text has arrived.
    async fn read_to(&mut self, text: &str) -> String {
        let mut read = Vec::new();
        let reading = async {
            while !String::from_utf8_lossy(&read).contains(text) {
                let mut some = [0; 4096];
                let length = self.0.read(&mut some).await.expect("reads");
                assert_ne!(length, 0, "closed after {}", String::from_utf8_lossy(&read));
                read.extend_from_slice(&some[..length]);
            }
        };
        let waited = timeout(PATIENCE, reading).await;
        let read = String::from_utf8_lossy(&read).into_owned();
        assert!(waited.is_ok(), "{text} does not come after {read}");
        read
    }

    /// Whether the server answers instead of closing the connection.
    async fn is_answered(&mut self) -> bool {
        let read = timeout(PATIENCE, self.0.read(&mut [0; 1])).await;
        read.expect("it does one of both")
            .is_ok_and(|length| length > 0)
    }

    /// Reads until the server closes the connection; returns the text.
    async fn read_to_end(&mut self) -> String {
        let mut read = Vec::new();
        let reading = timeout(PATIENCE, self.0.read_to_end(&mut read)).await;
        // Bytes that the server has not read make its kernel reset the connection.
        if let Err(error) = reading.expect("it stays open") {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        }
        String::from_utf8_lossy(&read).into_owned()
    }
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: guide.test\r\n\r\n")
}

fn post(length: usize) -> String {
    format!(
        "POST /api/v2/favourites/ HTTP/1.1\r\nhost: guide.test\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n"
    )
}

#[tokio::test]
async fn a_client_that_sends_no_head_is_let_go() {
    let app = app(|settings| {
        settings.http.idle_timeout_seconds = 1;
        settings.http.head_timeout_seconds = 1;
    })
    .await;
    let silent = async {
        let mut client = Client::connect(app.public()).await;
        assert_eq!(client.read_to_end().await, "");
    };
    let halfway = async {
        let mut client = Client::connect(app.public()).await;
        client.send("GET / HTTP/1.1\r\nhost: ").await;
        let answer = client.read_to_end().await;
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    };
    let half_a_preface = async {
        let mut client = Client::connect(app.public()).await;
        client.send("PRI * HT").await;
        assert_eq!(client.read_to_end().await, "");
    };
    let kept = async {
        let mut client = Client::connect(app.public()).await;
        client.send(&get("/api/v2/site/")).await;
        client.read_to("HTTP/1.1 200 OK").await;
        client.read_to_end().await;
    };
    let kept_http2 = async {
        let stream = TcpStream::connect(app.public()).await.expect("connects");
        let (client, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
        timeout(PATIENCE, connection)
            .await
            .expect("ends")
            .expect("ends in order");
        drop(client);
    };
    tokio::join!(silent, halfway, half_a_preface, kept, kept_http2);
    app.stop().await;
}

#[tokio::test]
async fn http_2_is_spoken_without_asking() {
    let app = app(|_| {}).await;
    let stream = TcpStream::connect(app.public()).await.expect("connects");
    let (mut client, connection) = h2::client::handshake(stream).await.expect("HTTP/2");
    let talking = tokio::spawn(connection);
    let request = http::Request::get("http://guide.test/api/v2/site/")
        .body(())
        .expect("a request");
    let (answer, _) = client.send_request(request, true).expect("sends");
    assert_eq!(answer.await.expect("answers").status().as_u16(), 200);
    drop(client);
    talking.await.expect("no panic").expect("ends in order");
    app.stop().await;
}

#[tokio::test]
async fn a_refused_request_whose_body_comes_later_does_not_spoil_the_next() {
    let app = app(|_| {}).await;
    let mut client = Client::connect(app.public()).await;
    let body = r#"{"listing": 1}"#;
    client.send(&format!("{}\r\n", post(body.len()))).await;
    client.send(body).await;
    let answer = client.read_to("not_authenticated").await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    assert!(!answer.contains("connection: close"), "{answer}");
    client.send(&get("/api/v2/site/")).await;
    client.read_to("HTTP/1.1 200 OK").await;
    app.stop().await;
}

#[tokio::test]
async fn a_refused_request_whose_body_is_not_read_says_that_the_connection_closes() {
    let app = app(|_| {}).await;
    for head in [
        format!("{}\r\n", post(1_000_000)),
        // The server accepts this size, but the body never arrives.
        format!("{}\r\n", post(10)),
        format!("{}expect: 100-continue\r\n\r\n", post(10)),
    ] {
        let mut client = Client::connect(app.public()).await;
        client.send(&head).await;
        let answer = client.read_to_end().await;
        assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
        assert!(!answer.contains("100 Continue"), "{answer}");
    }
    app.stop().await;
}

/// Two clients whose connections stay open after their answers.
async fn two_answered(app: &App) -> Vec<Client> {
    let mut open = Vec::new();
    for _ in 0..2 {
        let mut client = Client::connect(app.public()).await;
        client.send(&get("/api/v2/site/")).await;
        client.read_to("HTTP/1.1 200 OK").await;
        open.push(client);
    }
    open
}

#[tokio::test]
async fn beyond_the_bound_a_client_waits_until_another_has_gone() {
    let app = app(|settings| settings.http.max_connections = 2).await;
    let mut open = two_answered(&app).await;
    let mut third = Client::connect(app.public()).await;
    third.send(&get("/api/v2/site/")).await;
    let mut some = [0; 1];
    let early = timeout(MOMENT, third.0.read(&mut some)).await;
    assert!(early.is_err(), "it is answered beside two others");
    open.pop();
    third.read_to("HTTP/1.1 200 OK").await;
    app.stop().await;
}

#[tokio::test]
async fn beyond_its_own_bound_a_client_is_closed_until_another_of_its_connections_ends() {
    let app = app(|settings| settings.http.max_connections_per_client = 2).await;
    let mut open = two_answered(&app).await;
    let mut third = Client::connect(app.public()).await;
    assert_eq!(third.read_to_end().await, "");
    open.pop();
    until("there is room again", async || {
        let mut client = Client::connect(app.public()).await;
        // The server may already have closed the connection.
        let _ = client.0.write_all(get("/api/v2/site/").as_bytes()).await;
        client.is_answered().await.then_some(())
    })
    .await;
    app.stop().await;
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_let_go() {
    let app = app(|settings| {
        settings.http.max_connections = 1;
        settings.http.write_timeout_seconds = 1;
    })
    .await;
    let deaf = Client::connect(app.public()).await;
    let (_unread, mut write) = deaf.0.into_split();
    let asking = tokio::spawn(async move {
        // Far more than the kernel buffers; it ends with the connection.
        while write
            .write_all(get("/api/v2/openapi.json").as_bytes())
            .await
            .is_ok()
        {}
    });
    let next = app.public();
    until("another client has its place", async || {
        let mut client = Client::connect(next).await;
        client.send(&get("/api/v2/site/")).await;
        let mut some = [0; 1];
        let answered = timeout(MOMENT, client.0.read(&mut some)).await;
        matches!(answered, Ok(Ok(1))).then_some(())
    })
    .await;
    timeout(PATIENCE, asking)
        .await
        .expect("ends")
        .expect("no panic");
    app.stop().await;
}

#[tokio::test]
async fn a_stop_waits_for_a_request_under_way_and_not_for_a_connection_on_which_nothing_comes() {
    let app = app(|_| {}).await;
    let mut silent = Client::connect(app.public()).await;
    let mut kept = Client::connect(app.public()).await;
    kept.send(&get("/api/v2/site/")).await;
    kept.read_to("HTTP/1.1 200 OK").await;
    // The response waits for the body, which arrives after the stop has begun.
    let body = r#"{"email": "nobody", "password": "x"}"#;
    let mut under_way = Client::connect(app.public()).await;
    let head = post(body.len()).replace("favourites/", "profiles/email-login/");
    under_way.send(&format!("{head}\r\n")).await;
    tokio::time::sleep(MOMENT / 5).await;

    let stopping = tokio::spawn(timeout(PATIENCE, app.stop()));
    assert_eq!(kept.read_to_end().await, "");
    under_way.send(body).await;
    let answer = under_way.read_to_end().await;
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    assert_eq!(silent.read_to_end().await, "");
    let stopped = stopping.await.expect("no panic");
    stopped.expect("the stop waits for nothing else");
}
