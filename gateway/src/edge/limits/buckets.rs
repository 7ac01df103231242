//! Token buckets for counting calls.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::extract::{ConnectInfo, Request};
use chassis::{
    actor::Actor,
    digest,
    error::{Code, Fault},
    keys::Keys,
    limits::{BucketState, Rate, SharedBuckets},
    network::Network,
};

use super::kinds::Limit;
use crate::{
    edge::{
        client_address::{Counted, client_address, network},
        error::ApiError,
    },
    settings::LimitSettings,
};

/// The limits of this site and their buckets.
#[derive(Clone)]
pub(crate) struct Limits {
    pub(crate) buckets: SharedBuckets,
    /// The buckets of this process alone.
    pub(crate) own_buckets: SharedBuckets,
    /// Signs bucket names, so that addresses and emails cannot be read or guessed from them.
    pub(crate) keys: Keys,
    pub(crate) settings: LimitSettings,
    /// Proxies whose `X-Forwarded-For` is accepted.
    pub(crate) trusted_proxies: Arc<[Network]>,
}

/// Tokens taken from a bucket, or from a bucket for each network of a client.
#[derive(Debug)]
pub(crate) struct TakenToken {
    pub(super) limit: Limit,
    /// The buckets that the tokens were taken from.
    buckets: Vec<(String, Rate)>,
    /// The number of tokens taken from each bucket.
    tokens: u32,
    /// The state of the empty bucket or, if none is empty, of the client's smallest network.
    pub(super) standing: BucketState,
}

impl Limits {
    /// Returns the actor of a request: its client, identified by a network that neighbours may share.
    pub(in crate::edge) fn actor(&self, request: &Request) -> Actor {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        peer.map_or_else(Actor::default, |ConnectInfo(peer)| {
            let address = client_address(*peer, request.headers(), &self.trusted_proxies);
            Actor::client(&network(address))
        })
    }

    /// Limits that never refuse calls, except computed public responses.
    #[cfg(test)]
    pub(crate) fn with_reads(rate: &str, clock: &chassis::clock::SharedClock) -> Self {
        let plenty = || "1000000/s".parse().expect("a rate");
        let buckets = Arc::new(chassis::limits::InProcessBuckets::new(Arc::clone(clock)));
        Self {
            own_buckets: Arc::clone(&buckets) as _,
            buckets,
            keys: Keys::one(b"a secret of a test, long enough"),
            settings: LimitSettings {
                sign_in: plenty(),
                failed_sign_in: plenty(),
                failed_sign_in_everywhere: plenty(),
                failed_sign_in_overall: plenty(),
                registration: plenty(),
                contact: plenty(),
                entries: plenty(),
                guest_newsletters: plenty(),
                mailed_links: plenty(),
                exports: plenty(),
                uploads: plenty(),
                takeouts: plenty(),
                ads: plenty(),
                ad_events: plenty(),
                ad_impressions: plenty(),
                telemetry: plenty(),
                writes: plenty(),
                searches: plenty(),
                reads: rate.parse().expect("a rate"),
            },
            trusted_proxies: Arc::default(),
        }
    }

    /// Takes a token from the bucket identified by `whose`.
    pub(in crate::edge) async fn take(
        &self,
        limit: Limit,
        whose: &[&str],
    ) -> Result<TakenToken, ApiError> {
        let rate = (limit.rate)(&self.settings);
        self.take_all(limit, 1, vec![(self.bucket(limit, whose), rate)])
            .await
    }

    /// Takes a token from each bucket of a client: its address, or its possible networks. The bucket names start with
    /// `whose`.
    pub(in crate::edge) async fn take_of_client(
        &self,
        limit: Limit,
        whose: &[&str],
        client: &[Counted],
    ) -> Result<TakenToken, ApiError> {
        self.take_several_of_client(limit, 1, whose, client).await
    }

    /// Takes several tokens from each bucket of a client, or none. A call that needs more tokens than a full bucket has
    /// takes a full bucket, so that no call is refused forever.
    pub(in crate::edge) async fn take_several_of_client(
        &self,
        limit: Limit,
        tokens: u32,
        whose: &[&str],
        client: &[Counted],
    ) -> Result<TakenToken, ApiError> {
        let rate = (limit.rate)(&self.settings);
        let tokens = tokens.min(rate.count());
        let buckets = client.iter().map(|Counted { name, times }| {
            let whose = [whose, &[name]].concat();
            (self.bucket(limit, &whose), rate.times(*times))
        });
        self.take_all(limit, tokens, buckets.collect()).await
    }

    fn bucket(&self, limit: Limit, whose: &[&str]) -> String {
        let parts = [&[limit.name], whose].concat();
        format!("{}:{}", limit.name, digest::hex(self.keys.tag(&parts), 16))
    }

    /// Takes tokens from every bucket, or from none if a bucket has fewer.
    async fn take_all(
        &self,
        limit: Limit,
        tokens: u32,
        buckets: Vec<(String, Rate)>,
    ) -> Result<TakenToken, ApiError> {
        let mut held: Option<TakenToken> = None;
        for (bucket, rate) in buckets {
            let standing = match self.store(limit).take(&bucket, rate, tokens).await {
                Ok(standing) => standing,
                Err(fault) => {
                    if let Some(token) = &held {
                        self.give_back(token).await;
                    }
                    return Err(fault.into());
                }
            };
            let token = held.get_or_insert_with(|| TakenToken {
                limit,
                buckets: Vec::new(),
                tokens,
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

    fn store(&self, limit: Limit) -> &SharedBuckets {
        if limit.is_local {
            &self.own_buckets
        } else {
            &self.buckets
        }
    }

    /// Returns tokens to their buckets.
    pub(crate) async fn give_back(&self, token: &TakenToken) {
        let store = self.store(token.limit);
        for (bucket, rate) in &token.buckets {
            if let Err(error) = store.give_back(bucket, *rate, token.tokens).await {
                tracing::warn!(%error, limit = token.limit.name, "rate-limit tokens could not be returned");
            }
        }
    }
}

impl TakenToken {
    /// Whether the tokens were available.
    pub(crate) fn is_allowed(&self) -> bool {
        self.standing.is_allowed
    }

    /// 429 if the bucket was empty.
    pub(in crate::edge) fn require(&self) -> Result<(), ApiError> {
        if self.standing.is_allowed {
            return Ok(());
        }
        Err(ApiError::too_many(whole_seconds(self.standing.next_in)))
    }
}

/// Rounds up to seconds, so that a token is available after them.
pub(super) fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}
