//! Files of the web at addresses that are none of ours: each has a time and a size that it may take, is asked for only if it
//! has changed, and is never one of this network, whatever its name or a redirect stands for.

mod reach;

use std::time::Duration;

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, StatusCode,
    header::{
        ACCEPT_ENCODING, CONTENT_ENCODING, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
        LOCATION, RETRY_AFTER,
    },
};
use reqwest::Response;
use url::Url;

use self::reach::Reach;
use crate::{
    clock::SharedClock,
    error::{Code, Fault},
    network::Network,
    server_tls,
};

/// The longest until a connection stands.
const CONNECT: Duration = Duration::from_secs(10);
/// Redirects that are followed.
const MAX_REDIRECTS: usize = 5;
/// The longest header that is kept, in bytes.
const MAX_HEADER: usize = 512;
/// The longest reason, in characters.
const MAX_REASON: usize = 300;

/// The bounds of a fetcher.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Networks that may be reached beside the public internet.
    pub private_networks: Vec<Network>,
    /// The most bytes of a file.
    pub most_bytes: usize,
    /// The longest that a file may take, with its redirects.
    pub timeout: Duration,
}

/// What is known of a file; empty: nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// Its entity tag.
    pub etag: &'a str,
    /// When it was changed, in its server's words.
    pub last_modified: &'a str,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// The file is what is known.
    Unchanged,
    /// The file.
    File(WebFile),
}

/// A file of the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebFile {
    /// All of it.
    pub content: Bytes,
    /// Its entity tag; empty: none.
    pub etag: String,
    /// When it was changed, in its server's words; empty: none.
    pub last_modified: String,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFetched {
    /// For people. It names no address, which may be a secret.
    pub why: String,
    /// When its server wants to be asked again.
    pub retry_after: Option<Duration>,
}

impl From<String> for NotFetched {
    fn from(why: String) -> Self {
        let why = why.chars().take(MAX_REASON).collect();
        Self {
            why,
            retry_after: None,
        }
    }
}

/// Fetches files. Cheap to clone.
#[derive(Clone)]
pub struct Fetcher {
    client: reqwest::Client,
    reach: Reach,
    bounds: Bounds,
    clock: SharedClock,
}

impl std::fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fetcher").finish_non_exhaustive()
    }
}

impl Fetcher {
    /// A fetcher that trusts public authorities. No proxy of the environment is used: only connections of its own go where
    /// they may.
    pub fn new(bounds: Bounds, clock: SharedClock) -> Result<Self, Fault> {
        let tls = server_tls::client("", "")?;
        let reach = Reach::new(&bounds.private_networks);
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.as_ref().clone())
            .user_agent(concat!("cityguide/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .dns_resolver(reach.clone())
            .no_proxy()
            .connect_timeout(CONNECT)
            .pool_max_idle_per_host(0)
            .build()
            .map_err(|error| Fault::new(Code::Internal, format!("an HTTP client: {error}")))?;
        Ok(Self {
            client,
            reach,
            bounds,
            clock,
        })
    }

    /// Gets a file, unless it is what is known.
    pub async fn get(&self, address: &str, known: Known<'_>) -> Result<Fetched, NotFetched> {
        let timeout = self.bounds.timeout;
        let got = tokio::time::timeout(timeout, self.follow(address, known)).await;
        got.unwrap_or_else(|_| {
            let seconds = timeout.as_secs_f32();
            Err(format!("it took more than {seconds} s").into())
        })
    }

    async fn follow(&self, address: &str, known: Known<'_>) -> Result<Fetched, NotFetched> {
        let mut url = Url::parse(address).map_err(|error| error.to_string())?;
        for _ in 0..=MAX_REDIRECTS {
            self.reach.check(&url)?;
            let answer = self.ask(&url, known).await?;
            let Some(to) = redirect(&answer) else {
                return self.taken(answer).await;
            };
            let to = url
                .join(&to)
                .map_err(|error| format!("a redirect: {error}"))?;
            if url.scheme() == "https" && to.scheme() == "http" {
                return Err("it redirects from https to http".to_owned().into());
            }
            url = to;
        }
        Err(format!("it redirects more than {MAX_REDIRECTS} times").into())
    }

    async fn ask(&self, url: &Url, known: Known<'_>) -> Result<Response, NotFetched> {
        let mut request = self.client.get(url.clone());
        // What is small when compressed may be large, so it is not asked for.
        request = request.header(ACCEPT_ENCODING, "identity");
        for (name, value) in [
            (IF_NONE_MATCH, known.etag),
            (IF_MODIFIED_SINCE, known.last_modified),
        ] {
            if !value.is_empty() {
                request = request.header(name, value);
            }
        }
        Ok(request.send().await.map_err(reason)?)
    }

    async fn taken(&self, mut answer: Response) -> Result<Fetched, NotFetched> {
        let status = answer.status();
        if status == StatusCode::NOT_MODIFIED {
            return Ok(Fetched::Unchanged);
        }
        if status != StatusCode::OK {
            let why = format!("it answered {status}");
            return Err(NotFetched {
                why,
                retry_after: self.retry_after(answer.headers()),
            });
        }
        let encoding = header(answer.headers(), &CONTENT_ENCODING);
        if !matches!(encoding.as_str(), "" | "identity") {
            return Err("it is compressed, though that was not asked for"
                .to_owned()
                .into());
        }
        let most = self.bounds.most_bytes;
        let is_large = |length: usize| length > most;
        let large = || format!("it has more than {} KiB", most >> 10);
        let length = answer.content_length();
        if length.is_some_and(|length| usize::try_from(length).map_or(true, is_large)) {
            return Err(large().into());
        }
        let mut content = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(reason)? {
            if is_large(content.len() + chunk.len()) {
                return Err(large().into());
            }
            content.extend_from_slice(&chunk);
        }
        Ok(Fetched::File(WebFile {
            content: content.into(),
            etag: header(answer.headers(), &ETAG),
            last_modified: header(answer.headers(), &LAST_MODIFIED),
        }))
    }

    /// When a server wants to be asked again: in seconds, or at an instant (RFC 9110, section 10.2.3).
    fn retry_after(&self, headers: &HeaderMap) -> Option<Duration> {
        let value = header(headers, &RETRY_AFTER);
        if let Ok(seconds) = value.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let at = chrono::DateTime::parse_from_rfc2822(&value).ok()?;
        (at.to_utc() - self.clock.now()).to_std().ok()
    }
}

/// Where an answer redirects; `None` if it does not.
fn redirect(answer: &Response) -> Option<String> {
    let is_one = matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let to = answer.headers().get(LOCATION).filter(|_| is_one)?;
    to.to_str().ok().map(str::to_owned)
}

/// The value of a header; empty if there is none, or it is none that can be sent back.
fn header(headers: &HeaderMap, name: &HeaderName) -> String {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    let value = value.map(str::trim).unwrap_or_default();
    if value.len() > MAX_HEADER {
        return String::new();
    }
    value.to_owned()
}

/// What went wrong, from the outside in. The address may hold more than a log should have.
fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut causes = vec![error.to_string()];
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        causes.push(inner.to_string());
        cause = inner.source();
    }
    causes.dedup();
    causes.join(": ")
}
