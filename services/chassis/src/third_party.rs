//! Calls to third-party HTTP APIs. Each call has a timeout and a response size limit, follows no redirect, and uses
//! clear text only if its address is http.

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::Value;

use crate::{
    error::{Code, Fault},
    server_tls,
};

/// The connection timeout.
const CONNECT: Duration = Duration::from_secs(5);
/// The timeout of a call, including connecting.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The maximum size of a response, in bytes; a longer response is an error.
const MAX_BYTES: usize = 256 * 1024;

/// An HTTP client. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ThirdParty {
    client: reqwest::Client,
    timeout: Duration,
}

/// A response. A body that is not JSON is null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The parsed JSON.
    pub body: Value,
}

impl ThirdParty {
    /// A client that trusts the public authorities.
    pub fn new() -> Result<Self, Fault> {
        let tls = server_tls::client("", "")?;
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.as_ref().clone())
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .build()
            .map_err(|error| Fault::new(Code::Internal, format!("an HTTP client: {error}")))?;
        Ok(Self {
            client,
            timeout: TIMEOUT,
        })
    }

    /// Returns a client with a shorter timeout, for calls that a reader waits for.
    #[must_use]
    pub fn within(&self, timeout: Duration) -> Self {
        Self {
            client: self.client.clone(),
            timeout: timeout.min(self.timeout),
        }
    }

    /// Gets a resource. The parameters may be secrets and are not logged. [`Code::Unavailable`] if there is no
    /// response.
    pub async fn get(&self, url: &str, parameters: &[(&str, &str)]) -> Result<Answer, Fault> {
        self.send(self.client.get(url).query(parameters)).await
    }

    /// Gets a text of any content type. [`Code::Unavailable`] if there is no response.
    pub async fn get_text(&self, url: &str) -> Result<(StatusCode, String), Fault> {
        let (status, bytes) = self.answer(self.client.get(url)).await?;
        Ok((status, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Posts a form. [`Code::Unavailable`] if there is no response.
    pub async fn post_form(&self, url: &str, fields: &[(&str, &str)]) -> Result<Answer, Fault> {
        self.send(self.client.post(url).form(fields)).await
    }

    /// Calls a resource on behalf of a token's owner. [`Code::Unavailable`] if there is no response.
    pub async fn call(
        &self,
        method: Method,
        url: &str,
        token: &str,
        body: Option<&Value>,
    ) -> Result<Answer, Fault> {
        let request = self.client.request(method, url).bearer_auth(token);
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        self.send(request).await
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<Answer, Fault> {
        let (status, bytes) = self.answer(request).await?;
        Ok(Answer {
            status,
            body: serde_json::from_slice(&bytes).unwrap_or_default(),
        })
    }

    async fn answer(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<(StatusCode, Vec<u8>), Fault> {
        // The URL may contain secrets.
        let failed = |error: reqwest::Error| {
            let why = error.without_url();
            Fault::new(Code::Unavailable, format!("a third party: {why}"))
        };
        let request = request.timeout(self.timeout);
        let mut response = request.send().await.map_err(failed)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                let message = "a third party: the answer is too large";
                return Err(Fault::new(Code::Unavailable, message));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok((response.status(), bytes))
    }
}
