//! Clients and accounts that calls are counted for.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, FromRef};
use http::request::Parts;

use super::{
    buckets::{Limits, TakenToken},
    kinds::{Limit, READS, WRITES},
    reported::Reported,
};
use crate::edge::{
    client_address::{Counted, client_address, counted, network},
    error::ApiError,
    session::{Reader, Visitor},
};

/// The client that sent a request.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    /// The client's IPv4 address, or its IPv6 networks, smallest first.
    pub(in crate::edge) counted: Vec<Counted>,
    network: String,
    reported: Reported,
}

impl Client {
    /// Returns the client's network, which neighbours may share: `203.0.113.0/24`, `2001:db8::/48`.
    pub(crate) fn network(&self) -> &str {
        &self.network
    }

    /// Returns the name of the client's IPv4 address or of its smallest IPv6 network.
    pub(in crate::edge) fn name(&self) -> &str {
        self.counted.first().map_or("", |one| one.name.as_str())
    }

    /// Returns the client of a request, from its network connection or from the request on whose behalf it is made.
    pub(in crate::edge) fn if_known<S>(parts: &Parts, state: &S) -> Option<Self>
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

    /// Counts a call of this client; 429 if the limit is exceeded.
    pub(crate) async fn pass(&self, limits: &Limits, limit: Limit) -> Result<(), ApiError> {
        self.pass_several(limits, limit, 1).await
    }

    /// Counts a call of this client that needs several tokens; 429 if the limit is exceeded.
    pub(crate) async fn pass_several(
        &self,
        limits: &Limits,
        limit: Limit,
        tokens: u32,
    ) -> Result<(), ApiError> {
        let token = limits
            .take_several_of_client(limit, tokens, &[], &self.counted)
            .await?;
        self.report(&token);
        token.require()
    }

    /// Takes a token of this client from the buckets of `whose`. The caller decides what an empty bucket means.
    pub(crate) async fn take(
        &self,
        limits: &Limits,
        limit: Limit,
        whose: &str,
    ) -> Result<TakenToken, ApiError> {
        limits.take_of_client(limit, &[whose], &self.counted).await
    }

    /// Makes a call and counts it if it is valid; 429 if the limit is exceeded. An invalid call counts as a write,
    /// whose limit is much higher, so that a mistyped address does not block a reader for an hour.
    pub(crate) async fn count_if_valid<T>(
        &self,
        limits: &Limits,
        limit: Limit,
        call: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        self.count_unless(limits, limit, ApiError::is_invalid, call)
            .await
    }

    /// Makes a call and counts it, even if it fails; 429 if the limit is exceeded. A call that fails with an error that
    /// `is_free` accepts counts as a write instead.
    pub(crate) async fn count_unless<T>(
        &self,
        limits: &Limits,
        limit: Limit,
        is_free: impl Fn(&ApiError) -> bool,
        call: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        let token = limits.take_of_client(limit, &[], &self.counted).await?;
        self.call_with((limits, token), None, is_free, call).await
    }

    /// Makes a call of an account and counts it if it is valid, as [`Self::count_if_valid`] does for a client.
    pub(crate) async fn count_if_valid_as<T>(
        &self,
        reader: &Reader,
        limits: &Limits,
        limit: Limit,
        call: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        let account = reader.profile_id.to_string();
        let token = limits.take(limit, &["account", &account]).await?;
        self.call_with((limits, token), Some(reader), ApiError::is_invalid, call)
            .await
    }

    /// Makes a call with a token, which it gives back if the call fails with an error that `is_free` accepts.
    async fn call_with<T>(
        &self,
        (limits, token): (&Limits, TakenToken),
        reader: Option<&Reader>,
        is_free: impl Fn(&ApiError) -> bool,
        call: impl Future<Output = Result<T, ApiError>>,
    ) -> Result<T, ApiError> {
        if let Err(too_many) = token.require() {
            self.report(&token);
            return Err(too_many);
        }
        let outcome = call.await;
        if outcome.as_ref().is_err_and(is_free) {
            limits.give_back(&token).await;
            self.count_write(limits, reader).await?;
        } else {
            self.report(&token);
        }
        outcome
    }

    /// Counts a call of an account; 429 if the limit is exceeded.
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

    /// Counts a response computed for this anonymous client, which needs a number of tokens; 429 if the limit is
    /// exceeded. Only the 429 reports the limit, because a public response has the same headers for everyone.
    pub(crate) async fn pass_to_compute(
        &self,
        limits: &Limits,
        limit: Limit,
        tokens: u32,
    ) -> Result<(), ApiError> {
        let token = limits
            .take_several_of_client(limit, tokens, &[], &self.counted)
            .await?;
        self.require(&token)
    }

    /// Counts a response computed for this client and not cached; 429 if the limit is exceeded.
    pub(crate) async fn count_read(&self, limits: &Limits) -> Result<(), ApiError> {
        self.pass_to_compute(limits, READS, 1).await
    }

    /// Authenticates a visitor who makes a `GET`, and counts it for the account or for a guest's client; 429 if the
    /// limit is exceeded. The client's token is taken before the session is checked, which costs a call, and given back
    /// if there is a session.
    pub(super) async fn count_read_of(
        &self,
        limits: &Limits,
        authenticated: impl Future<Output = Result<Visitor, ApiError>>,
    ) -> Result<Visitor, ApiError> {
        let of_client = limits.take_of_client(READS, &[], &self.counted).await?;
        self.require(&of_client)?;
        let visitor = authenticated.await?;
        if let Visitor::Reader(reader) = &visitor {
            limits.give_back(&of_client).await;
            let account = reader.profile_id.to_string();
            self.require(&limits.take(READS, &["account", &account]).await?)?;
        }
        Ok(visitor)
    }

    /// 429 if the bucket was empty; only then does the response report the limit.
    fn require(&self, token: &TakenToken) -> Result<(), ApiError> {
        token.require().inspect_err(|_| self.report(token))
    }

    /// Counts a write of this account or of a guest's client.
    pub(super) async fn count_write(
        &self,
        limits: &Limits,
        reader: Option<&Reader>,
    ) -> Result<(), ApiError> {
        let token = match reader {
            Some(reader) => {
                let account = reader.profile_id.to_string();
                limits.take(WRITES, &[&account]).await?
            }
            None => {
                limits
                    .take_of_client(WRITES, &["guest"], &self.counted)
                    .await?
            }
        };
        self.report(&token);
        token.require()
    }

    /// A client without a request.
    #[cfg(test)]
    pub(crate) fn new(name: &str) -> Self {
        let name = name.to_owned();
        Self {
            counted: vec![Counted { name, times: 1 }],
            network: String::new(),
            reported: Reported::default(),
        }
    }

    /// Includes the state of a bucket in the response's headers.
    pub(in crate::edge) fn report(&self, token: &TakenToken) {
        self.reported.add(token);
    }
}
