//! Load over HTTP/1.1: connections that send a request, wait for the response, and send the next. The generator does
//! minimal work, because it shares the machine with the measured programs.

use std::{
    future::Future,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, bail};
use bytes::{Buf, BytesMut};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    cpu::{self, Of},
    harness::{Turn, milliseconds},
};

/// Connections of every load, equal to pgbench's clients.
pub(crate) const CONNECTIONS: usize = 32;

/// A keep-alive connection.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    read: BytesMut,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// As it was sent: in chunks if it has no `Content-Length`.
    pub(crate) body: BytesMut,
    head: BytesMut,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let head = std::str::from_utf8(&self.head).ok()?;
        let mut headers = head.lines().filter_map(|line| line.split_once(": "));
        let found = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.to_owned())
    }

    pub(crate) fn json<T: serde::de::DeserializeOwned>(&self) -> anyhow::Result<T> {
        let text = || String::from_utf8_lossy(&self.body).into_owned();
        serde_json::from_slice(&self.body).with_context(text)
    }
}

impl Connection {
    pub(crate) async fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await;
        let stream = stream.with_context(|| format!("{address} does not answer"))?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            read: BytesMut::with_capacity(64 << 10),
        })
    }

    /// Sends a whole request and reads the whole response.
    pub(crate) async fn send(&mut self, request: &[u8]) -> anyhow::Result<Answer> {
        self.stream.write_all(request).await?;
        let (status, head, length) = loop {
            if let Some(read) = read_head(&self.read)? {
                break read;
            }
            self.more().await?;
        };
        let body = loop {
            let read = &self.read[head..];
            let body = match length {
                Some(length) => (read.len() >= length).then_some(length),
                None => length_of_chunks(read)?,
            };
            if let Some(body) = body {
                break body;
            }
            self.more().await?;
        };
        Ok(Answer {
            status,
            head: self.read.split_to(head),
            body: self.read.split_to(body),
        })
    }

    /// Sends a request; a response with another status fails the whole measurement.
    pub(crate) async fn expect(&mut self, request: &[u8], status: u16) -> anyhow::Result<Answer> {
        let answer = self.send(request).await?;
        if answer.status != status {
            let line = String::from_utf8_lossy(&request[..request.len().min(80)]);
            let body = String::from_utf8_lossy(&answer.body);
            bail!(
                "{line} was answered {}, not {status}: {body}",
                answer.status
            );
        }
        Ok(answer)
    }

    /// Returns the milliseconds of a request.
    pub(crate) async fn time(&mut self, request: &[u8], status: u16) -> anyhow::Result<f64> {
        let begun = Instant::now();
        self.expect(request, status).await?;
        Ok(milliseconds(begun.elapsed()))
    }

    async fn more(&mut self) -> anyhow::Result<()> {
        if !self.read.has_remaining() {
            self.read.reserve(64 << 10);
        }
        if self.stream.read_buf(&mut self.read).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(())
    }
}

/// Returns the status and the lengths of the head and of the body, once the head is complete; `None` for the length of a
/// body in chunks.
fn read_head(read: &[u8]) -> anyhow::Result<Option<(u16, usize, Option<usize>)>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head) = response.parse(read)? else {
        return Ok(None);
    };
    let header = |name: &str| {
        let mut headers = response.headers.iter();
        headers.find(|header| header.name.eq_ignore_ascii_case(name))
    };
    let status = response.code.unwrap_or_default();
    let body = match header("content-length") {
        _ if matches!(status, 204 | 304) => Some(0),
        Some(length) => Some(std::str::from_utf8(length.value)?.parse()?),
        None if header("transfer-encoding").is_some() => None,
        None => bail!("an answer {status} without its length"),
    };
    Ok(Some((status, head, body)))
}

/// Returns the length of a body in chunks, once it is complete (RFC 9112, 7.1; the site sends no trailers).
fn length_of_chunks(read: &[u8]) -> anyhow::Result<Option<usize>> {
    let mut end = 0;
    loop {
        let rest = read.get(end..).unwrap_or_default();
        let chunk = httparse::parse_chunk_size(rest).map_err(|_| anyhow!("an invalid chunk"))?;
        let httparse::Status::Complete((line, size)) = chunk else {
            return Ok(None);
        };
        let size = usize::try_from(size)?;
        end += line + size + "\r\n".len();
        if size == 0 {
            return Ok((read.len() >= end).then_some(end));
        }
    }
}

/// A request's bytes; `headers` are whole lines.
pub(crate) fn request(method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let content = if body.is_empty() {
        String::new()
    } else {
        let length = body.len();
        format!("content-type: application/json\r\ncontent-length: {length}\r\n")
    };
    format!("{method} {path} HTTP/1.1\r\nhost: site\r\n{headers}{content}\r\n{body}").into_bytes()
}

pub(crate) fn get(path: &str) -> Vec<u8> {
    request("GET", path, "", "")
}

/// Sends a request on a new connection.
pub(crate) async fn fetch(address: &str, request: &[u8]) -> anyhow::Result<Answer> {
    Connection::open(address).await?.expect(request, 200).await
}

/// Runs one task per connection and sums their results.
pub(crate) async fn together<F>(
    connections: usize,
    work: impl Fn(usize) -> F,
) -> anyhow::Result<u64>
where
    F: Future<Output = anyhow::Result<u64>> + Send + 'static,
{
    let tasks: Vec<_> = (0..connections).map(|at| tokio::spawn(work(at))).collect();
    let mut done = 0;
    for task in tasks {
        done += task.await??;
    }
    Ok(done)
}

/// Requests that all connections send in this order, repeatedly and across turns.
#[derive(Debug)]
pub(crate) struct Requests {
    all: Vec<Vec<u8>>,
    status: u16,
    next: AtomicUsize,
}

impl Requests {
    pub(crate) fn new(all: impl IntoIterator<Item = Vec<u8>>, status: u16) -> Arc<Self> {
        Arc::new(Self {
            all: all.into_iter().collect(),
            status,
            next: AtomicUsize::new(0),
        })
    }

    fn next(&self) -> &[u8] {
        &self.all[self.next.fetch_add(1, Ordering::Relaxed) % self.all.len()]
    }
}

/// Measures the rate at which a server answers requests on all connections, and the CPU time of these processes.
pub(crate) async fn rate(
    address: &str,
    of: Of<'_>,
    requests: &Arc<Requests>,
    turn: Duration,
) -> anyhow::Result<Turn> {
    let begun = Instant::now();
    let work = together(CONNECTIONS, |_| {
        let (address, requests) = (address.to_owned(), Arc::clone(requests));
        async move {
            let mut connection = Connection::open(&address).await?;
            let mut done = 0;
            while begun.elapsed() < turn {
                connection.expect(requests.next(), requests.status).await?;
                done += 1;
            }
            Ok(done)
        }
    });
    let (done, used) = cpu::during(of, work).await?;
    Ok(Turn::rate(done, begun.elapsed().as_secs_f64(), used))
}

/// Measures the times of sequential requests on a single connection.
pub(crate) async fn times(address: &str, of: Of<'_>, requests: &[Vec<u8>]) -> anyhow::Result<Turn> {
    let mut connection = Connection::open(address).await?;
    let work = async {
        let mut times = Vec::with_capacity(requests.len());
        for request in requests {
            times.push(connection.time(request, 200).await?);
        }
        anyhow::Ok(times)
    };
    let (times, used) = cpu::during(of, work).await?;
    Ok(Turn::times(times, used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_once_it_is_complete() {
        let partial = read_head(b"HTTP/1.1 200 OK\r\ncontent-le").expect("HTTP");
        assert_eq!(partial, None);
        let whole = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nx-a: b\r\n\r\n{}";
        let read = read_head(whole).expect("HTTP");
        assert_eq!(read, Some((200, whole.len() - 2, Some(2))));
        let empty = b"HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n";
        let read = read_head(empty).expect("HTTP");
        assert_eq!(read, Some((304, empty.len(), Some(0))));
        let chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
        let read = read_head(chunked).expect("HTTP");
        assert_eq!(read, Some((200, chunked.len(), None)));
        assert!(read_head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }

    #[test]
    fn a_body_in_chunks_ends_after_the_empty_chunk() {
        let body = b"2\r\n{}\r\n0\r\n\r\n";
        for end in 0..body.len() {
            assert_eq!(length_of_chunks(&body[..end]).expect("chunks"), None);
        }
        let followed = [&body[..], b"HTTP/1.1 200"].concat();
        assert_eq!(
            length_of_chunks(&followed).expect("chunks"),
            Some(body.len())
        );
        assert!(length_of_chunks(b"no\r\n").is_err());
    }
}
