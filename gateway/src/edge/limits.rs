//! Rate limits by client and by account: token buckets, reported in `RateLimit-Policy` and `RateLimit`
//! (draft-ietf-httpapi-ratelimit-headers), and as 429 when a bucket is empty.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    extract::{ConnectInfo, FromRef, FromRequestParts, Request},
    middleware::Next,
    response::Response,
};
use chassis::{
    digest,
    error::{Code, Fault},
    keys::Keys,
    limits::{BucketState, Rate, SharedBuckets},
};
use http::{HeaderMap, HeaderName, HeaderValue, request::Parts};
use utoipa::IntoResponses;

use super::{
    client_address::{Network, bucket_name, client_address},
    error::{ApiError, ErrorBody},
    session::{Reader, Visitor},
};
use crate::{
    services::Clients,
    settings::{LimitSettings, Origin},
};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// A limit of the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit {
    /// Its name in headers and metrics.
    name: &'static str,
    rate: fn(&LimitSettings) -> Rate,
}

/// Sign-ins of one client, successful or not.
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

/// The limits of this site, and the buckets that they are counted in.
#[derive(Clone)]
pub(crate) struct Limits {
    pub(crate) buckets: SharedBuckets,
    /// Bucket names are codes under this key: they reveal no address and no email, not even by guessing.
    pub(crate) keys: Keys,
    pub(crate) settings: LimitSettings,
    /// The proxies whose `X-Forwarded-For` is believed.
    pub(crate) trusted_proxies: Arc<[Network]>,
}

/// The result of taking a token from a bucket.
#[derive(Debug)]
pub(super) struct TakenToken {
    limit: Limit,
    bucket: String,
    standing: BucketState,
}

impl Limits {
    /// Takes a token from the bucket of the client or account that the parts identify.
    pub(super) async fn take(&self, limit: Limit, whose: &[&str]) -> Result<TakenToken, ApiError> {
        let parts: Vec<&str> = std::iter::once(limit.name)
            .chain(whose.iter().copied())
            .collect();
        let bucket = format!("{}:{}", limit.name, digest::hex(self.keys.tag(&parts), 16));
        let rate = (limit.rate)(&self.settings);
        let standing = self.buckets.take(&bucket, rate).await?;
        if !standing.is_allowed {
            metrics::counter!("limit_refusals_total", "limit" => limit.name).increment(1);
        }
        Ok(TakenToken {
            limit,
            bucket,
            standing,
        })
    }

    /// Returns a token to its bucket.
    pub(super) async fn give_back(&self, token: &TakenToken) {
        let rate = token.standing.rate;
        if let Err(error) = self.buckets.give_back(&token.bucket, rate).await {
            tracing::warn!(%error, limit = token.limit.name, "a token could not be given back");
        }
    }
}

/// The limits that an answer reports in its headers.
#[derive(Debug, Clone, Default)]
struct Reported(Arc<Mutex<Vec<(&'static str, BucketState)>>>);

impl Reported {
    fn write(&self, headers: &mut HeaderMap) {
        let reported = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let list = |item: fn(&(&'static str, BucketState)) -> String| {
            let items: Vec<String> = reported.iter().map(item).collect();
            HeaderValue::from_str(&items.join(", ")).ok()
        };
        if reported.is_empty() {
            return;
        }
        if let Some(policy) = list(|(name, BucketState { rate, .. })| {
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

/// Seconds, rounded up, so that there is a token by then.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

/// Adds the limits that a call was counted against to its answer.
pub(crate) async fn report(mut request: Request, next: Next) -> Response {
    let reported = Reported::default();
    request.extensions_mut().insert(reported.clone());
    let mut response = next.run(request).await;
    reported.write(response.headers_mut());
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
    reason = "only the generator of the OpenAPI document reads it"
)]
pub(crate) struct TooMany(ErrorBody);

/// The client that sent a request.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    /// Its IPv4 address or IPv6 network, which counts as one client.
    pub(super) bucket: String,
    reported: Reported,
}

impl Client {
    /// Counts a call of this client; 429 if there have been too many.
    pub(crate) async fn pass(&self, limits: &Limits, limit: Limit) -> Result<(), ApiError> {
        let token = limits.take(limit, &[&self.bucket]).await?;
        self.report(&token);
        token.require()
    }

    /// Counts a write of this account, or of this client if it is a guest.
    async fn count_write(&self, limits: &Limits, reader: Option<&Reader>) -> Result<(), ApiError> {
        let token = match reader {
            Some(reader) => {
                let account = reader.profile_id.to_string();
                limits.take(WRITES, &[&account]).await?
            }
            None => limits.take(WRITES, &["guest", &self.bucket]).await?,
        };
        self.report(&token);
        token.require()
    }

    /// A client that is made without a request.
    #[cfg(test)]
    pub(super) fn new(bucket: &str) -> Self {
        Self {
            bucket: bucket.to_owned(),
            reported: Reported::default(),
        }
    }

    /// Makes the answer report the state of a bucket.
    pub(super) fn report(&self, token: &TakenToken) {
        let mut reported = self
            .reported
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        reported.push((token.limit.name, token.standing));
    }
}

impl TakenToken {
    /// 429 if the bucket was empty.
    pub(super) fn require(&self) -> Result<(), ApiError> {
        if self.standing.is_allowed {
            return Ok(());
        }
        Err(ApiError::too_many(whole_seconds(self.standing.next_in)))
    }
}

impl<S> FromRequestParts<S> for Client
where
    Limits: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Some(ConnectInfo(peer)) = parts.extensions.get::<ConnectInfo<SocketAddr>>() else {
            return Err(Fault::new(Code::Internal, "a request without its peer's address").into());
        };
        let trusted = Limits::from_ref(state).trusted_proxies;
        let address = client_address(*peer, &parts.headers, &trusted);
        Ok(Self {
            bucket: bucket_name(address),
            reported: parts
                .extensions
                .get::<Reported>()
                .cloned()
                .unwrap_or_default(),
        })
    }
}

/// A signed-in reader who writes; the write is counted for the account.
#[derive(Debug, Clone)]
pub(crate) struct Writer(pub(crate) Reader);

impl<S> FromRequestParts<S> for Writer
where
    Limits: FromRef<S>,
    Clients: FromRef<S>,
    Origin: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let reader = Reader::from_request_parts(parts, state).await?;
        let client = Client::from_request_parts(parts, state).await?;
        client
            .count_write(&Limits::from_ref(state), Some(&reader))
            .await?;
        Ok(Self(reader))
    }
}

/// A visitor who writes; the write is counted for the account, or for a guest's client.
#[derive(Debug, Clone)]
pub(crate) struct VisitingWriter(pub(crate) Visitor);

impl<S> FromRequestParts<S> for VisitingWriter
where
    Limits: FromRef<S>,
    Clients: FromRef<S>,
    Origin: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let visitor = Visitor::from_request_parts(parts, state).await?;
        let client = Client::from_request_parts(parts, state).await?;
        let reader = match &visitor {
            Visitor::Reader(reader) => Some(reader),
            Visitor::Guest => None,
        };
        client.count_write(&Limits::from_ref(state), reader).await?;
        Ok(Self(visitor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_reported_as_lists_of_structured_items() {
        let standing = |text: &str, remaining, full_in| BucketState {
            rate: text.parse().expect("a rate"),
            is_allowed: true,
            remaining,
            next_in: Duration::ZERO,
            full_in: Duration::from_millis(full_in),
        };
        let reported = Reported::default();
        let mut headers = HeaderMap::new();
        reported.write(&mut headers);
        assert!(headers.is_empty());
        *reported.0.lock().expect("no panic") = vec![
            ("sign-in", standing("10/min", 9, 5_001)),
            ("failed-sign-in", standing("5/5min", 4, 60_000)),
        ];
        reported.write(&mut headers);
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
