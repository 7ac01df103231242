//! The kinds of visitors: guests, and hostile visitors, who send new values that a careless server would store.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use anyhow::Context;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::Mutex,
    time::timeout,
};

use super::{CLOSED, Tally, readers};
use crate::{
    city::City,
    load::{self, Connection},
    plan::Site,
};

/// Timeout of a response; a slower site has failed.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
/// Time within which the site must close a connection on which nothing is sent or read.
const LET_GO_WITHIN: Duration = Duration::from_mins(2);
/// The encodings that clients accept, browsers first.
const ENCODINGS: [&str; 3] = ["gzip, deflate, br, zstd", "gzip", "identity"];

/// The kinds of visitors: name, visits per ten thousand requests of the whole load, expected statuses (0 for a closed
/// connection), behaviour, and requests, of which each visit sends one. `kept`: on a keep-alive connection; `alone`: on
/// a new connection, until a response or its end; `raw`: like `alone`, without HTTP; `internal`: to the port of probes.
/// There are few readers: a password takes 19 MiB while it is hashed, and the median of the samples must exclude that.
const KINDS: &str = r#"
pages | 1300 | 200 | kept | GET {page}
answers of the API | 1300 | 200 | kept | GET {answer}
long pages of lists | 200 | 200 | kept | GET /api/v2/listings/?limit=100&offset={offset}
searches for new words | 1300 | 200 | kept | GET /api/v2/{list}/?keywords={word}
new query strings | 700 | 200 | kept | GET /?q={word} | GET /restaurants/?q={word} | GET /api/v2/site/?q={word}
conditional requests | 350 | 304 | kept | GET {known}\nif-none-match: {tag}
tags that never were | 350 | 200 | kept | GET {known}\nif-none-match: "{word}"
pictures | 600 | 200 206 | kept | GET {picture} | GET {picture}\nrange: bytes=0-999
resolved paths | 300 | 200 404 | kept | GET /api/v2/resolve/?path={page} | GET /api/v2/resolve/?path=/{word}/
objects that do not exist | 600 | 404 | kept | GET /api/v2/{list}/{absent}/
pages that do not exist | 600 | 404 | kept | GET /{word}/ | GET /{word}/{deep}
unknown methods | 600 | 405 | kept | AAA{number} / | AAA{number} /api/v2/listings/ | AAA{number} /media/x.jpg
wrong passwords | 2 | 400 | kept | POST {login}\n\n{"email":"{word}@a.example","password":"{word}"}
guesses from one address | 100 | 400 429 | kept | POST {login}\nx-forwarded-for: 203.0.113.9\n\n{"email":"a@a.example","password":"{word}"}
bodies that are refused | 100 | 401 413 0 | alone | POST /api/v2/contact/\n\n{spaces} | POST /api/v2/favourites/\n\n{spaces}
nonsense as JSON | 150 | 400 | kept | POST /api/v2/contact/\n\n{brackets} | POST /api/v2/contact/\n\n{"{word}":NaN}
messages | 10 | 201 | kept | POST /api/v2/contact/\nidempotency-key: {word}\n\n{"email":"ada@example.com",{message}}
wrong messages | 90 | 400 | kept | POST /api/v2/contact/\n\n{"email":"ada",{message}}
oversized heads | 60 | 431 0 | alone | GET /\n{headers} | GET /\nx: {megabyte}
no HTTP | 60 | 400 0 | raw | HELLO {word}\n\n | PRI * HTTP/2.0\n\nSM\n\n{word}{brackets}
forged sessions | 300 | 401 | kept | GET /api/v2/favourites/\ncookie: session={word}\nx-profile-id: 1 | GET /api/v2/profiles/hi/stream/\ncookie: session={word}
the internal port | 200 | 200 404 405 | internal | AAA{number} /health/live | GET /{word} | GET /health/live?{word}
half a head | 60 | 408 0 | half | GET /{word}
clients that read nothing | 30 | 0 | unread | GET /api/v2/openapi.json
clients that leave | 100 | 0 | leave | GET /api/v2/listings/?limit=100&keywords={offset}
readers | 3 | 200 201 204 | reader |
"#;

const MESSAGE: &str = r#""name":"Ada","subject":"{word}","message":"Where is it?""#;

/// A kind of visitor.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) share: f64,
    expected: Vec<u16>,
    how: &'static str,
    requests: Vec<String>,
}

/// The kinds, in the order of the table.
pub(super) static ALL: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let unescape = |text: &&str| text.replace("\\n", "\n");
    let rows = KINDS.trim().lines().map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[name, share, expected, how, ref requests @ ..] = cells.as_slice() else {
            panic!("{line}: a kind has five cells");
        };
        let statuses = expected.split(' ').filter_map(|status| status.parse().ok());
        Kind {
            name,
            share: share.parse().unwrap_or_default(),
            expected: statuses.collect(),
            how,
            requests: requests.iter().map(unescape).collect(),
        }
    });
    rows.collect()
});

/// The state that all visits share.
pub(super) struct Load {
    site: Site,
    city: City,
    pub(super) tally: Tally,
    kept: Mutex<Vec<Connection>>,
}

impl Load {
    pub(super) fn new(site: Site, city: City) -> Self {
        Self {
            site,
            city,
            tally: Tally::default(),
            kept: Mutex::default(),
        }
    }
}

/// A visit with a number that is unique among the visits of its kind.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) load: Arc<Load>,
    kind: &'static Kind,
    pub(super) number: u64,
}

impl Visit {
    pub(super) fn new(load: Arc<Load>, kind: &'static Kind, number: u64) -> Self {
        Self { load, kind, number }
    }

    pub(super) async fn run(self) -> anyhow::Result<()> {
        let text = self.filled();
        let request = self.request(&text);
        let raw = text.replace('\n', "\r\n").into_bytes();
        let status = match self.kind.how {
            "alone" => self.send_alone(&request).await?,
            "raw" => self.send_alone(&raw).await?,
            "internal" => {
                let address = &self.pick(&self.load.site.processes).internal;
                let mut connection = Connection::open(address).await?;
                connection.send(&request).await?.status
            }
            "reader" => return readers::stay(self).await,
            "half" => self.send_half(&request[..request.len() - 4]).await?,
            "unread" => self.read_nothing(&request).await?,
            "leave" => self.leave(&request).await?,
            _ => {
                let answer = timeout(PATIENCE, self.answer(&request)).await;
                answer.context("no answer")??
            }
        };
        self.note(status, &request);
        Ok(())
    }

    /// Returns a request of this kind with its placeholders filled.
    fn filled(&self) -> String {
        let city = &self.load.city;
        let number = self.number;
        let (path, tag) = self.pick(&city.known);
        // The request changes more slowly than the values, so that each request gets every value.
        let requests = &self.kind.requests;
        let mut text = requests[self.mixed() / 8 % requests.len()].clone();
        let mut fill = |name: &str, value: &dyn Fn() -> String| {
            if text.contains(name) {
                text = text.replace(name, &value());
            }
        };
        fill("{page}", &|| self.pick(&city.pages).clone());
        fill("{answer}", &|| self.pick(&city.answers).clone());
        fill("{picture}", &|| self.pick(&city.pictures).clone());
        fill("{known}", &|| path.clone());
        fill("{tag}", &|| tag.clone());
        let lists = ["listings", "articles", "events", "videos"];
        fill("{list}", &|| (*self.pick(&lists)).to_owned());
        fill("{offset}", &|| (number % 2_000).to_string());
        fill("{absent}", &|| (1_000_000_000 + number).to_string());
        fill("{number}", &|| number.to_string());
        // Long enough that the cache of such paths reaches its maximum within minutes.
        fill("{deep}", &|| "deep/".repeat(120));
        fill("{spaces}", &|| {
            " ".repeat(100_000 + self.mixed() % 2 * 5_000_000)
        });
        fill("{brackets}", &|| "[".repeat(5_000));
        fill("{headers}", &|| "x-a: b\n".repeat(200));
        fill("{megabyte}", &|| "a".repeat(1 << 20));
        fill("{login}", &|| "/api/v2/profiles/email-login/".to_owned());
        fill("{message}", &|| MESSAGE.to_owned());
        fill("{word}", &|| self.word());
        text
    }

    /// Returns a request from one of several client addresses, since reads are limited by address.
    fn request(&self, text: &str) -> Vec<u8> {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let (line, headers) = head.split_once('\n').unwrap_or((head, ""));
        let (method, path) = line.split_once(' ').unwrap_or((line, "/"));
        let mut headers: String = headers.lines().flat_map(|line| [line, "\r\n"]).collect();
        // Each encoding has its own tag.
        let encoding = if headers.contains("if-none-match") {
            "identity"
        } else {
            self.pick(&ENCODINGS)
        };
        headers = format!("{headers}accept-encoding: {encoding}\r\n");
        if !headers.contains("x-forwarded-for") {
            headers = format!("{headers}x-forwarded-for: {}\r\n", self.address());
        }
        load::request(method, path, &headers, body)
    }

    /// Returns the status of a response on a keep-alive connection, or on a new connection if the site has closed it.
    async fn answer(&self, request: &[u8]) -> anyhow::Result<u16> {
        let kept = self.load.kept.lock().await.pop();
        if let Some(mut connection) = kept
            && let Ok(answer) = connection.send(request).await
        {
            self.load.kept.lock().await.push(connection);
            return Ok(answer.status);
        }
        let mut connection = Connection::open(&self.load.site.address).await?;
        let status = connection.send(request).await?.status;
        self.load.kept.lock().await.push(connection);
        Ok(status)
    }

    /// Counts the response to a request.
    pub(super) fn note(&self, status: u16, request: &[u8]) {
        let line = String::from_utf8_lossy(&request[..request.len().min(80)]);
        let Kind { name, expected, .. } = self.kind;
        self.load.tally.note(name, status, expected, &line);
    }

    pub(super) fn city(&self) -> &City {
        &self.load.city
    }

    /// The address of the site.
    pub(super) fn site(&self) -> &str {
        &self.load.site.address
    }

    /// Returns a word that no other visit uses.
    pub(super) fn word(&self) -> String {
        format!("{:x}x{:x}", std::process::id(), self.number)
    }

    /// Returns a pseudo-random number derived from the visit's number.
    fn mixed(&self) -> usize {
        let mixed = self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        usize::try_from(mixed).unwrap_or_default()
    }

    fn pick<'a, T>(&self, all: &'a [T]) -> &'a T {
        &all[self.mixed() % all.len()]
    }

    /// Returns the client address that the proxy reports: a different address, or a different /48 network of IPv6, for
    /// each visit.
    pub(super) fn address(&self) -> String {
        let [.., a, b, c, d] = self.number.to_be_bytes();
        if self.number.is_multiple_of(3) {
            format!("2001:{a:02x}{b:02x}:{c:02x}{d:02x}::1")
        } else {
            format!("10.{b}.{c}.{d}")
        }
    }

    async fn connect(&self) -> anyhow::Result<TcpStream> {
        let connecting = TcpStream::connect(&self.load.site.address);
        let stream = timeout(PATIENCE, connecting).await;
        let stream = stream.context("a connection is not accepted")??;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    async fn send_alone(&self, bytes: &[u8]) -> anyhow::Result<u16> {
        let mut stream = self.connect().await?;
        // The site may already have closed the connection.
        let _ = stream.write_all(bytes).await;
        status(&mut stream).await
    }

    /// Sends an incomplete request. Some clients wait until the site closes the connection, the others close it.
    async fn send_half(&self, head: &[u8]) -> anyhow::Result<u16> {
        let mut stream = self.connect().await?;
        stream.write_all(head).await?;
        if self.number.is_multiple_of(2) {
            return status(&mut stream).await;
        }
        tokio::time::sleep(Duration::from_secs(3)).await;
        Ok(CLOSED)
    }

    /// Requests more than the kernel buffers and reads nothing, until the site closes the connection.
    async fn read_nothing(&self, request: &[u8]) -> anyhow::Result<u16> {
        let (_unread, mut write) = self.connect().await?.into_split();
        let asking = async {
            while write.write_all(request).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let ended = timeout(LET_GO_WITHIN, asking).await;
        ended.context("the site waits for a client that reads nothing")?;
        Ok(CLOSED)
    }

    /// Disconnects before or in the middle of the response.
    async fn leave(&self, request: &[u8]) -> anyhow::Result<u16> {
        let mut stream = self.connect().await?;
        stream.write_all(request).await?;
        if self.number.is_multiple_of(2) {
            status(&mut stream).await?;
        }
        Ok(CLOSED)
    }
}

/// Returns the status of the next response; a reset counts as closed.
async fn status(stream: &mut TcpStream) -> anyhow::Result<u16> {
    let mut begun = [0; 12];
    let read = timeout(LET_GO_WITHIN, stream.read_exact(&mut begun)).await;
    let read = read.context("the site neither answers nor closes")?;
    let status = std::str::from_utf8(&begun[9..])
        .ok()
        .and_then(|text| text.parse().ok());
    Ok(status.filter(|_| read.is_ok()).unwrap_or(CLOSED))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_kind_has_a_share_statuses_and_requests() {
        for kind in super::ALL.iter() {
            let is_whole = kind.share > 0.0 && !kind.expected.is_empty();
            assert!(is_whole && !kind.requests.is_empty(), "{kind:?}");
        }
    }
}
