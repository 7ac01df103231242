//! Load over HTTP/1.1: connections that send a request, wait for the answer, and send the next. It does as
//! little as it can, because it shares the machine with what it measures.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use bytes::{Buf, BytesMut};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// Connections of every load, as many as pgbench has clients.
pub(crate) const CONNECTIONS: usize = 32;

/// A keep-alive connection.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    read: BytesMut,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: BytesMut,
    /// The header `X-Server-Time`.
    pub(crate) server_time: Option<String>,
    /// The header `ETag`.
    pub(crate) tag: Option<String>,
}

struct Head {
    length: usize,
    status: u16,
    body: usize,
    server_time: Option<String>,
    tag: Option<String>,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)
            .await
            .with_context(|| format!("{address} does not answer"))?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            read: BytesMut::with_capacity(64 << 10),
        })
    }

    /// Sends a whole request and reads the whole answer, which must state its length.
    pub(crate) async fn ask(&mut self, request: &[u8]) -> anyhow::Result<Answer> {
        self.stream.write_all(request).await?;
        let head = loop {
            if let Some(head) = head(&self.read)? {
                break head;
            }
            self.more().await?;
        };
        while self.read.len() < head.length + head.body {
            self.more().await?;
        }
        self.read.advance(head.length);
        Ok(Answer {
            status: head.status,
            body: self.read.split_to(head.body),
            server_time: head.server_time,
            tag: head.tag,
        })
    }

    /// The same; any other status fails the whole measurement.
    pub(crate) async fn expect(&mut self, request: &[u8], status: u16) -> anyhow::Result<Answer> {
        let answer = self.ask(request).await?;
        if answer.status != status {
            let begun = String::from_utf8_lossy(request);
            let line = begun.lines().next().unwrap_or_default();
            let body = String::from_utf8_lossy(&answer.body);
            bail!(
                "{line} was answered {}, not {status}: {body}",
                answer.status
            );
        }
        Ok(answer)
    }

    async fn more(&mut self) -> anyhow::Result<()> {
        if self.stream.read_buf(&mut self.read).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(())
    }
}

fn head(read: &[u8]) -> anyhow::Result<Option<Head>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length) = response.parse(read)? else {
        return Ok(None);
    };
    let find = |name: &str| {
        let found = response
            .headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case(name));
        found.and_then(|header| std::str::from_utf8(header.value).ok())
    };
    let status = response.code.unwrap_or_default();
    let body = match find("content-length") {
        Some(length) => length.parse()?,
        None if matches!(status, 204 | 304) => 0,
        None => bail!("an answer {status} without its length"),
    };
    Ok(Some(Head {
        length,
        status,
        body,
        server_time: find("x-server-time").map(str::to_owned),
        tag: find("etag").map(str::to_owned),
    }))
}

/// A request's bytes, with its reader's session if there is one.
pub(crate) fn request(method: &str, path: &str, session: Option<&str>, body: &str) -> Vec<u8> {
    let cookie = session.map_or_else(String::new, |secret| {
        format!("cookie: session={secret}\r\n")
    });
    let content = if body.is_empty() {
        String::new()
    } else {
        format!(
            "content-type: application/json\r\ncontent-length: {}\r\n",
            body.len()
        )
    };
    format!("{method} {path} HTTP/1.1\r\nhost: site\r\n{cookie}{content}\r\n{body}").into_bytes()
}

/// Runs one task per connection and sums their results.
pub(crate) async fn together<W, F>(work: W) -> anyhow::Result<u64>
where
    W: Fn(usize) -> F,
    F: Future<Output = anyhow::Result<u64>> + Send + 'static,
{
    on(CONNECTIONS, work).await
}

/// The same on this number of connections.
async fn on<W, F>(connections: usize, work: W) -> anyhow::Result<u64>
where
    W: Fn(usize) -> F,
    F: Future<Output = anyhow::Result<u64>> + Send + 'static,
{
    let tasks: Vec<_> = (0..connections).map(|at| tokio::spawn(work(at))).collect();
    let mut done = 0;
    for task in tasks {
        done += task.await??;
    }
    Ok(done)
}

/// Repeats the same few requests, each connection beginning with another one, and expects this status each
/// time. Returns the number of requests and the seconds they took.
pub(crate) async fn read_for(
    address: &str,
    requests: &[Vec<u8>],
    status: u16,
    turn: Duration,
) -> anyhow::Result<(u64, f64)> {
    read_on(CONNECTIONS, address, requests, status, turn).await
}

/// The same on this number of connections.
pub(crate) async fn read_on(
    connections: usize,
    address: &str,
    requests: &[Vec<u8>],
    status: u16,
    turn: Duration,
) -> anyhow::Result<(u64, f64)> {
    let begun = Instant::now();
    let done = on(connections, |at| {
        let (address, requests) = (address.to_owned(), requests.to_vec());
        async move {
            let mut connection = Connection::open(&address).await?;
            let mut done = 0;
            for request in requests
                .iter()
                .cycle()
                .skip(at * requests.len() / connections)
            {
                if begun.elapsed() >= turn {
                    break;
                }
                connection.expect(request, status).await?;
                done += 1;
            }
            Ok(done)
        }
    })
    .await?;
    Ok((done, begun.elapsed().as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_once_it_is_whole() {
        assert!(
            head(b"HTTP/1.1 200 OK\r\ncontent-le")
                .expect("no nonsense")
                .is_none()
        );
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nx-server-time: now\r\n\r\n{}";
        let read = head(whole).expect("sense").expect("whole");
        assert_eq!(
            (read.status, read.body, read.length),
            (200, 2, whole.len() - 2)
        );
        assert_eq!(read.server_time.as_deref(), Some("now"));
        assert_eq!(
            head(b"HTTP/1.1 204 No Content\r\n\r\n")
                .expect("sense")
                .expect("whole")
                .body,
            0
        );
        assert!(head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}
