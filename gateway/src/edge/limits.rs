//! Rate limits by client and by account: token buckets, reported in `RateLimit-Policy` and `RateLimit`
//! (draft-ietf-httpapi-ratelimit-headers), and as 429 when a bucket is empty.

mod kinds;

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
    actor::Actor,
    clock::SharedClock,
    digest,
    error::{Code, Fault},
    keys::Keys,
    limits::{BucketState, InProcessBuckets, Rate, SharedBuckets},
    network::Network,
    origin::Origin,
};
use http::{HeaderMap, HeaderName, HeaderValue, request::Parts};
use utoipa::IntoResponses;

use self::kinds::WRITES;
pub(crate) use self::kinds::{
    AD_EVENTS, CONTACT, EXPORTS, FAILED_SIGN_IN, FAILED_SIGN_IN_EVERYWHERE, FAILED_SIGN_IN_OVERALL,
    GUEST_NEWSLETTERS, Limit, MAILED_LINKS, READS, REGISTRATION, SEARCHES, SIGN_IN, TAKEOUTS,
    UPLOADS,
};
use super::{
    client_address::{Counted, client_address, counted, network},
    error::{ApiError, ErrorBody},
    session::{Reader, Visitor},
};
use crate::{services::Clients, settings::LimitSettings};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

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

/// The result of taking a token from a bucket, or from a bucket for each network of a client.
#[derive(Debug)]
pub(super) struct TakenToken {
    limit: Limit,
    /// Where it was taken from.
    buckets: Vec<(String, Rate)>,
    /// The state of the bucket that is empty, or of the client's own.
    standing: BucketState,
}

impl Limits {
    /// The same limits, counted in this process alone.
    pub(crate) fn of_this_process(&self, clock: &SharedClock) -> Self {
        Self {
            buckets: Arc::new(InProcessBuckets::new(Arc::clone(clock))),
            ..self.clone()
        }
    }

    /// The actor behind a request: its client, by the network that neighbours share.
    pub(super) fn actor(&self, request: &Request) -> Actor {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        peer.map_or_else(Actor::default, |ConnectInfo(peer)| {
            let address = client_address(*peer, request.headers(), &self.trusted_proxies);
            Actor::client(&network(address))
        })
    }

    /// Limits that never refuse, but for answers that are computed for a client.
    #[cfg(test)]
    pub(super) fn with_reads(rate: &str, clock: &SharedClock) -> Self {
        let plenty = || "1000000/s".parse().expect("a rate");
        Self {
            buckets: Arc::new(InProcessBuckets::new(Arc::clone(clock))),
            keys: Keys::one(b"a secret of a test, long enough"),
            settings: LimitSettings {
                sign_in: plenty(),
                failed_sign_in: plenty(),
                failed_sign_in_everywhere: plenty(),
                failed_sign_in_overall: plenty(),
                registration: plenty(),
                contact: plenty(),
                guest_newsletters: plenty(),
                mailed_links: plenty(),
                exports: plenty(),
                uploads: plenty(),
                takeouts: plenty(),
                ad_events: plenty(),
                writes: plenty(),
                searches: plenty(),
                reads: rate.parse().expect("a rate"),
            },
            trusted_proxies: Arc::default(),
        }
    }

    /// Takes a token from the bucket that the parts identify.
    pub(super) async fn take(&self, limit: Limit, whose: &[&str]) -> Result<TakenToken, ApiError> {
        let rate = (limit.rate)(&self.settings);
        self.take_all(limit, vec![(self.bucket(limit, whose), rate)])
            .await
    }

    /// Takes a token from the bucket of a client, and from those of the networks that may be its own. `whose` comes
    /// before the client in the buckets' names.
    pub(super) async fn take_of_client(
        &self,
        limit: Limit,
        whose: &[&str],
        client: &Client,
    ) -> Result<TakenToken, ApiError> {
        let rate = (limit.rate)(&self.settings);
        let buckets = client.counted.iter().map(|Counted { name, times }| {
            let whose = [whose, &[name]].concat();
            (self.bucket(limit, &whose), rate.times(*times))
        });
        self.take_all(limit, buckets.collect()).await
    }

    fn bucket(&self, limit: Limit, whose: &[&str]) -> String {
        let parts = [&[limit.name], whose].concat();
        format!("{}:{}", limit.name, digest::hex(self.keys.tag(&parts), 16))
    }

    /// Takes a token from each bucket, or from none if one of them is empty.
    async fn take_all(
        &self,
        limit: Limit,
        buckets: Vec<(String, Rate)>,
    ) -> Result<TakenToken, ApiError> {
        let mut held = None;
        for (bucket, rate) in buckets {
            let standing = self.buckets.take(&bucket, rate).await?;
            let token = held.get_or_insert_with(|| TakenToken {
                limit,
                buckets: Vec::new(),
                standing,
            });
            if !standing.is_allowed {
                metrics::counter!("limit_refusals_total", "limit" => limit.name).increment(1);
                self.give_back(token).await;
                token.buckets.clear();
                token.standing = standing;
                break;
            }
            token.buckets.push((bucket, rate));
        }
        let none = || Fault::new(Code::Internal, "a client that counts as nobody").into();
        held.ok_or_else(none)
    }

    /// Returns a token to its buckets.
    pub(super) async fn give_back(&self, token: &TakenToken) {
        for (bucket, rate) in &token.buckets {
            if let Err(error) = self.buckets.give_back(bucket, *rate).await {
                tracing::warn!(%error, limit = token.limit.name, "a token could not be given back");
            }
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
    /// Its IPv4 address, or its IPv6 networks, the smallest first.
    counted: Vec<Counted>,
    network: String,
    reported: Reported,
}

impl Client {
    /// Its network, as neighbours share one: `203.0.113.0/24`, `2001:db8::/48`.
    pub(crate) fn network(&self) -> &str {
        &self.network
    }

    /// The name of its IPv4 address or of its smallest IPv6 network.
    pub(super) fn name(&self) -> &str {
        self.counted.first().map_or("", |one| one.name.as_str())
    }

    /// The client of a request that has come by the network, or that is made on behalf of one.
    pub(super) fn if_known<S>(parts: &Parts, state: &S) -> Option<Self>
    where
        Limits: FromRef<S>,
    {
        if let Some(client) = parts.extensions.get::<Self>() {
            return Some(client.clone());
        }
        let ConnectInfo(peer) = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
        let trusted = Limits::from_ref(state).trusted_proxies;
        let address = client_address(*peer, &parts.headers, &trusted);
        Some(Self {
            counted: counted(address),
            network: network(address),
            reported: parts
                .extensions
                .get::<Reported>()
                .cloned()
                .unwrap_or_default(),
        })
    }

    /// Counts a call of this client; 429 if there have been too many.
    pub(crate) async fn pass(&self, limits: &Limits, limit: Limit) -> Result<(), ApiError> {
        let token = limits.take_of_client(limit, &[], self).await?;
        self.report(&token);
        token.require()
    }

    /// Counts a call of an account; 429 if there have been too many.
    pub(crate) async fn pass_as(
        &self,
        reader: &Reader,
        limits: &Limits,
        limit: Limit,
    ) -> Result<(), ApiError> {
        let account = reader.profile_id.to_string();
        let token = limits.take(limit, &["account", &account]).await?;
        self.report(&token);
        token.require()
    }

    /// Counts an answer that must be computed for this client, of whom nobody knows who it is; 429 if there have been too
    /// many. The limit is not reported: a public answer has the same headers for everyone.
    pub(super) async fn pass_to_compute(
        &self,
        limits: &Limits,
        limit: Limit,
    ) -> Result<(), ApiError> {
        let token = limits.take_of_client(limit, &[], self).await?;
        token.require()
    }

    /// Counts a write of this account, or of this client if it is a guest.
    async fn count_write(&self, limits: &Limits, reader: Option<&Reader>) -> Result<(), ApiError> {
        let token = match reader {
            Some(reader) => {
                let account = reader.profile_id.to_string();
                limits.take(WRITES, &[&account]).await?
            }
            None => limits.take_of_client(WRITES, &["guest"], self).await?,
        };
        self.report(&token);
        token.require()
    }

    /// A client that is made without a request.
    #[cfg(test)]
    pub(super) fn new(name: &str) -> Self {
        let name = name.to_owned();
        Self {
            counted: vec![Counted { name, times: 1 }],
            network: String::new(),
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
    /// Whether there was one.
    pub(super) fn is_allowed(&self) -> bool {
        self.standing.is_allowed
    }

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
        let nobody = || Fault::new(Code::Internal, "a request without its peer's address").into();
        Self::if_known(parts, state).ok_or_else(nobody)
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
