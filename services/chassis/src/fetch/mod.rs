//! Fetches external web files, with limits on time and size, only if they have changed, and never from this network,
//! regardless of host names and redirects.

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

/// The connection timeout.
const CONNECT: Duration = Duration::from_secs(10);
/// The maximum number of redirects.
const MAX_REDIRECTS: usize = 5;
/// The maximum length of a header value that is kept, in bytes.
const MAX_HEADER: usize = 512;
/// The maximum length of a failure reason, in characters.
const MAX_REASON: usize = 300;

/// The limits of a fetcher.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Networks that may be reached in addition to the public internet.
    pub private_networks: Vec<Network>,
    /// The maximum size of a file, in bytes.
    pub most_bytes: usize,
    /// The timeout of a fetch, including redirects.
    pub timeout: Duration,
}

/// Validators of the known version of a file; empty if there is none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The entity tag.
    pub etag: &'a str,
    /// The `Last-Modified` header, as the server sent it.
    pub last_modified: &'a str,
}

/// The result of a fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// The file has not changed.
    Unchanged,
    /// The current file.
    File(WebFile),
}

/// A file fetched from the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebFile {
    /// The complete content.
    pub content: Bytes,
    /// The entity tag; empty if absent.
    pub etag: String,
    /// The `Last-Modified` header, as the server sent it; empty if absent.
    pub last_modified: String,
}

/// A failed fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFetched {
    /// A human-readable reason. It does not include the URL, because URLs may contain secrets.
    pub why: String,
    /// The delay before the next request, as requested by the server.
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

crate::opaque_debug!(Fetcher);

impl Fetcher {
    /// A fetcher that trusts the public authorities. Proxies from the environment are ignored, because the network
    /// restrictions apply only to direct connections.
    pub fn new(bounds: Bounds, clock: SharedClock) -> Result<Self, Fault> {
        let tls = server_tls::client("", "")?;
        let reach = Reach::new(&bounds.private_networks);
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.as_ref().clone())
            .user_agent(format!("cityguide/{}", crate::VERSION))
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

    /// Fetches a file, unless the known version is current.
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
        // A small compressed response may decompress to a large one, so compression is not requested.
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

    /// The server's retry delay, given in seconds or as an instant (RFC 9110, section 10.2.3).
    fn retry_after(&self, headers: &HeaderMap) -> Option<Duration> {
        let value = header(headers, &RETRY_AFTER);
        if let Ok(seconds) = value.parse() {
            return Some(Duration::from_secs(seconds));
        }
        let at = chrono::DateTime::parse_from_rfc2822(&value).ok()?;
        (at.to_utc() - self.clock.now()).to_std().ok()
    }
}

/// The target of a redirect; `None` if the response is not a redirect.
fn redirect(answer: &Response) -> Option<String> {
    let is_one = matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308);
    let to = answer.headers().get(LOCATION).filter(|_| is_one)?;
    to.to_str().ok().map(str::to_owned)
}

/// The value of a header; empty if it is absent, too long or not text.
fn header(headers: &HeaderMap, name: &HeaderName) -> String {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    let value = value.map(str::trim).unwrap_or_default();
    if value.len() > MAX_HEADER {
        return String::new();
    }
    value.to_owned()
}

/// The error with its causes, outermost first. The URL is removed, because it may contain secrets.
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
