//! How often a client or an account may do something: token buckets, told in `RateLimit-Policy` and
//! `RateLimit` (draft-ietf-httpapi-ratelimit-headers) and, where there is no token, as 429.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    extract::{ConnectInfo, FromRequestParts, Request},
    middleware::Next,
    response::Response,
};
use chassis::{
    digest,
    error::{Code, Fault},
    key::Key,
    limits::{Rate, SharedBuckets, Standing},
};
use http::{HeaderMap, HeaderName, HeaderValue, request::Parts};
use utoipa::IntoResponses;

use super::{
    client_address::{bucket_of, client_address},
    error::{ApiError, ErrorBody},
    session::{Reader, Visitor},
};
use crate::{settings::LimitSettings, state::Edge};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Something that is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    /// As answers and metrics name it.
    name: &'static str,
    rate: fn(&LimitSettings) -> Rate,
}

/// Sign-ins of one client, whatever becomes of them.
pub(crate) const SIGN_IN: Limit = Limit {
    name: "sign-in",
    rate: |settings| settings.sign_in,
};
/// Failed sign-ins to one account from one client.
pub(crate) const FAILED_SIGN_IN: Limit = Limit {
    name: "failed-sign-in",
    rate: |settings| settings.failed_sign_in,
};
/// Failed sign-ins to one account from all clients together.
pub(crate) const FAILED_SIGN_IN_EVERYWHERE: Limit = Limit {
    name: "failed-sign-in-everywhere",
    rate: |settings| settings.failed_sign_in_everywhere,
};
/// New accounts of one client.
pub(crate) const REGISTRATION: Limit = Limit {
    name: "registration",
    rate: |settings| settings.registration,
};
/// Messages to the site of one client.
pub(crate) const CONTACT: Limit = Limit {
    name: "contact",
    rate: |settings| settings.contact,
};
/// Writes of one account, or of one client without one.
const WRITES: Limit = Limit {
    name: "writes",
    rate: |settings| settings.writes,
};

/// The buckets of this site.
#[derive(Clone)]
pub(crate) struct Limits {
    pub(crate) buckets: SharedBuckets,
    /// Bucket names are codes under this key, so that who reads the buckets learns no address and no
    /// email, not even by guessing.
    pub(crate) key: Key,
    pub(crate) settings: LimitSettings,
}

/// A bucket from which a token was asked.
#[derive(Debug)]
pub(super) struct Asked {
    limit: Limit,
    bucket: String,
    pub(super) standing: Standing,
}

impl Limits {
    /// Takes a token from the bucket of whoever is named by the parts.
    pub(super) async fn take(&self, limit: Limit, whose: &[&str]) -> Result<Asked, ApiError> {
        let parts: Vec<&str> = std::iter::once(limit.name)
            .chain(whose.iter().copied())
            .collect();
        let bucket = format!("{}:{}", limit.name, digest::hex(self.key.tag(&parts), 16));
        let rate = (limit.rate)(&self.settings);
        let standing = self.buckets.take(&bucket, rate).await?;
        if !standing.is_allowed {
            metrics::counter!("limit_refusals_total", "limit" => limit.name).increment(1);
        }
        Ok(Asked {
            limit,
            bucket,
            standing,
        })
    }

    /// Puts a token back that was taken.
    pub(super) async fn give_back(&self, asked: &Asked) {
        let rate = asked.standing.rate;
        if let Err(error) = self.buckets.give_back(&asked.bucket, rate).await {
            tracing::warn!(%error, limit = asked.limit.name, "a token could not be given back");
        }
    }
}

/// What the answer will say of its limits.
#[derive(Debug, Clone, Default)]
struct Told(Arc<Mutex<Vec<(&'static str, Standing)>>>);

impl Told {
    fn write(&self, headers: &mut HeaderMap) {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let list = |item: fn(&(&'static str, Standing)) -> String| {
            let items: Vec<String> = told.iter().map(item).collect();
            HeaderValue::from_str(&items.join(", ")).ok()
        };
        if told.is_empty() {
            return;
        }
        if let Some(policy) = list(|(name, Standing { rate, .. })| {
            format!(
                "\"{name}\";q={};w={}",
                rate.count(),
                rate.window().as_secs()
            )
        }) {
            headers.insert(POLICY, policy);
        }
        if let Some(limit) = list(|(name, standing)| {
            let reset = whole_seconds(standing.full_in);
            format!("\"{name}\";r={};t={reset}", standing.remaining)
        }) {
            headers.insert(LIMIT, limit);
        }
    }
}

/// Seconds, rounded up: who comes back then finds a token.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

/// Writes the limits that a call was counted in on its answer.
pub(crate) async fn tell(mut request: Request, next: Next) -> Response {
    let told = Told::default();
    request.extensions_mut().insert(told.clone());
    let mut response = next.run(request).await;
    told.write(response.headers_mut());
    response
}

/// 429 for the OpenAPI document.
#[derive(IntoResponses)]
#[response(
    status = 429,
    description = "Too many tries.",
    headers(
        ("Retry-After" = u64, description = "Seconds until there is room again."),
        ("RateLimit-Policy" = String, description = "\"sign-in\";q=10;w=60: each limit's quota and seconds."),
        ("RateLimit" = String, description = "\"sign-in\";r=0;t=60: what is left, and seconds until all is."),
    )
)]
#[expect(
    dead_code,
    reason = "it is looked at by the document's generator alone"
)]
pub(crate) struct TooMany(ErrorBody);

/// Whoever sends a request, as limits tell clients apart.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    /// What counts as one client: an IPv4 address or an IPv6 network.
    pub(super) bucket: String,
    told: Told,
}

impl Client {
    /// Counts a call of this client; 429 where there have been too many.
    pub(crate) async fn pass(&self, edge: &Edge, limit: Limit) -> Result<(), ApiError> {
        let asked = edge.limits.take(limit, &[&self.bucket]).await?;
        self.tell(&asked);
        asked.require()
    }

    /// Counts a write of this account, or of this client as that of a guest.
    async fn count_write(&self, edge: &Edge, reader: Option<&Reader>) -> Result<(), ApiError> {
        let asked = match reader {
            Some(reader) => {
                let account = reader.profile_id.to_string();
                edge.limits.take(WRITES, &[&account]).await?
            }
            None => edge.limits.take(WRITES, &["guest", &self.bucket]).await?,
        };
        self.tell(&asked);
        asked.require()
    }

    /// A client without a request.
    #[cfg(test)]
    pub(super) fn of(bucket: &str) -> Self {
        Self {
            bucket: bucket.to_owned(),
            told: Told::default(),
        }
    }

    /// Has the answer say how a bucket stands.
    pub(super) fn tell(&self, asked: &Asked) {
        let mut told = self.told.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.push((asked.limit.name, asked.standing));
    }
}

impl Asked {
    /// 429 where there was no token.
    pub(super) fn require(&self) -> Result<(), ApiError> {
        if self.standing.is_allowed {
            return Ok(());
        }
        Err(ApiError::too_many(whole_seconds(self.standing.next_in)))
    }
}

impl FromRequestParts<Edge> for Client {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, ApiError> {
        let Some(ConnectInfo(peer)) = parts.extensions.get::<ConnectInfo<SocketAddr>>() else {
            return Err(Fault::new(Code::Internal, "a request without its peer's address").into());
        };
        let address = client_address(*peer, &parts.headers, &edge.trusted_proxies);
        Ok(Self {
            bucket: bucket_of(address),
            told: parts.extensions.get::<Told>().cloned().unwrap_or_default(),
        })
    }
}

/// A signed-in reader who writes: counted by account.
#[derive(Debug, Clone)]
pub(crate) struct Writer(pub(crate) Reader);

impl FromRequestParts<Edge> for Writer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, ApiError> {
        let reader = Reader::from_request_parts(parts, edge).await?;
        let client = Client::from_request_parts(parts, edge).await?;
        client.count_write(edge, Some(&reader)).await?;
        Ok(Self(reader))
    }
}

/// Anyone who writes: counted by account, or by client where there is none.
#[derive(Debug, Clone)]
pub(crate) struct VisitingWriter(pub(crate) Visitor);

impl FromRequestParts<Edge> for VisitingWriter {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, edge: &Edge) -> Result<Self, ApiError> {
        let visitor = Visitor::from_request_parts(parts, edge).await?;
        let client = Client::from_request_parts(parts, edge).await?;
        let reader = match &visitor {
            Visitor::Reader(reader) => Some(reader),
            Visitor::Guest => None,
        };
        client.count_write(edge, reader).await?;
        Ok(Self(visitor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_as_lists_of_structured_items() {
        let standing = |text: &str, remaining, full_in| Standing {
            rate: text.parse().expect("a rate"),
            is_allowed: true,
            remaining,
            next_in: Duration::ZERO,
            full_in: Duration::from_millis(full_in),
        };
        let told = Told::default();
        let mut headers = HeaderMap::new();
        told.write(&mut headers);
        assert!(headers.is_empty());
        *told.0.lock().expect("no panic") = vec![
            ("sign-in", standing("10/min", 9, 5_001)),
            ("failed-sign-in", standing("5/5min", 4, 60_000)),
        ];
        told.write(&mut headers);
        assert_eq!(
            headers[POLICY],
            "\"sign-in\";q=10;w=60, \"failed-sign-in\";q=5;w=300"
        );
        assert_eq!(
            headers[LIMIT],
            "\"sign-in\";r=9;t=6, \"failed-sign-in\";r=4;t=60"
        );
    }
}
