//! A Redis server shared by several processes, with a timeout for each command: waiting for an unavailable server would
//! be worse than not using it.

use std::{
    future::Future,
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use chrono::TimeDelta;
use redis::{
    AsyncConnectionConfig, Client, ConnectionAddr, RedisError, RedisResult, TlsCertificates,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

use crate::{
    clock::SharedClock,
    error::{Code, Fault},
    server_tls,
};

/// How long Redis is not used after a failure, so that readers do not wait for an unavailable server.
const PAUSE: TimeDelta = TimeDelta::seconds(1);
/// The timeout of an operator's check, for which the reason for a failure matters more than a quick response.
const CHECK_TIMEOUT: Duration = Duration::from_secs(5);

/// The server, and the prefix of this system's keys.
pub(crate) struct RedisServer {
    client: Client,
    connection: ConnectionManager,
    namespace: String,
    clock: SharedClock,
    timeout: Duration,
    /// When the server stops counting as unavailable, in milliseconds since the epoch.
    away_until: AtomicI64,
}

impl std::fmt::Debug for RedisServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisServer")
            .field("namespace", &self.namespace)
            .finish_non_exhaustive()
    }
}

impl RedisServer {
    /// A server at this address (`redis://host:port/database`, or `rediss` for TLS). It connects on first use and
    /// reconnects after the connection is lost. `ca` is the authority of the server's certificate, in PEM; if empty,
    /// the public authorities are used. A command that takes longer than `timeout` fails.
    pub(crate) fn new(
        url: &str,
        ca: &str,
        namespace: &str,
        clock: SharedClock,
        timeout: Duration,
    ) -> Result<Self, Fault> {
        let client = client(url, ca)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(timeout))
            .set_response_timeout(Some(timeout))
            .set_number_of_retries(0);
        let connection = ConnectionManager::new_lazy_with_config(client.clone(), config)
            .map_err(|error| invalid(&error))?;
        Ok(Self {
            client,
            connection,
            namespace: namespace.to_owned(),
            clock,
            timeout,
            away_until: AtomicI64::new(0),
        })
    }

    /// Checks, on a separate connection and with an operator's timeout, that the server responds and does not evict
    /// keys: rate limits and ended sessions must not be evicted.
    pub(crate) async fn check(&self) -> Result<(), Fault> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CHECK_TIMEOUT))
            .set_response_timeout(Some(CHECK_TIMEOUT));
        let memory: RedisResult<String> = async {
            let connecting = self
                .client
                .get_multiplexed_async_connection_with_config(&config);
            let mut info = redis::cmd("INFO");
            info.arg("memory").query_async(&mut connecting.await?).await
        }
        .await;
        refuse_eviction(&memory.map_err(|error| away(&error))?)
    }

    /// A handle for sending commands.
    pub(crate) fn connection(&self) -> ConnectionManager {
        self.connection.clone()
    }

    /// A key with this system's prefix.
    pub(crate) fn key(&self, key: &str) -> String {
        format!("{}:{key}", self.namespace)
    }

    /// The reply to a command; [`Code::Unavailable`] if the server is unavailable or too slow, or was a moment ago.
    pub(crate) async fn ask<T>(
        &self,
        question: impl Future<Output = RedisResult<T>>,
    ) -> Result<T, Fault> {
        let now = self.clock.now().timestamp_millis();
        if now < self.away_until.load(Ordering::Relaxed) {
            return Err(Fault::new(Code::Unavailable, "Redis was away a moment ago"));
        }
        self.insist(question).await
    }

    /// Sends a command even if the server was unavailable a moment ago, because it must not be skipped.
    pub(crate) async fn insist<T>(
        &self,
        question: impl Future<Output = RedisResult<T>>,
    ) -> Result<T, Fault> {
        let fault = match tokio::time::timeout(self.timeout, question).await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => away(&error),
            Err(_) => Fault::new(Code::Unavailable, "Redis: no answer in time"),
        };
        let until = self.clock.now() + PAUSE;
        self.away_until
            .store(until.timestamp_millis(), Ordering::Relaxed);
        metrics::counter!("cache_failures_total").increment(1);
        Err(fault)
    }
}

/// Refuses a server that would evict keys, according to the `memory` section of its `INFO`.
fn refuse_eviction(memory: &str) -> Result<(), Fault> {
    let value = |name: &str| {
        let mut fields = memory.lines().filter_map(|line| line.split_once(':'));
        fields.find_map(|(field, value)| (field == name).then(|| value.trim()))
    };
    match (value("maxmemory"), value("maxmemory_policy")) {
        (Some("0") | None, _) | (_, Some("noeviction") | None) => Ok(()),
        (_, Some(policy)) => {
            let message = format!(
                "Redis evicts keys when it is full (maxmemory-policy {policy}): limits and the ends of sessions would be \
                 lost; set noeviction"
            );
            Err(Fault::new(Code::Invalid, message))
        }
    }
}

fn away(error: &RedisError) -> Fault {
    let error = server_tls::explained(error, "cache.ca");
    Fault::new(Code::Unavailable, format!("Redis: {error}"))
}

/// A client for the server at this address. It uses TLS if the address requires it, and then verifies the certificate.
fn client(url: &str, ca: &str) -> Result<Client, Fault> {
    let refuse = |what: &str| {
        let message = format!("settings: {what}");
        Err(Fault::new(Code::Invalid, message))
    };
    let client = Client::open(url).map_err(|error| invalid(&error))?;
    match client.get_connection_info().addr() {
        ConnectionAddr::TcpTls { insecure: true, .. } => {
            refuse("cache.url must not end in #insecure: the server would not be verified")
        }
        ConnectionAddr::TcpTls { .. } => {
            server_tls::install_provider();
            if ca.is_empty() {
                return Ok(client);
            }
            server_tls::authorities("cache.ca", ca)?;
            let certificates = TlsCertificates {
                client_tls: None,
                root_cert: Some(ca.into()),
            };
            Client::build_with_tls(url, certificates).map_err(|error| invalid(&error))
        }
        _ if !ca.is_empty() => refuse("cache.url must be rediss: cache.ca is set"),
        _ => Ok(client),
    }
}

fn invalid(error: &RedisError) -> Fault {
    let message = format!("settings: cache.url is not valid: {error}");
    Fault::new(Code::Invalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_would_evict_keys_is_refused() {
        let memory = |most: u32, policy: &str| {
            format!(
                "# Memory\r\nused_memory:1\r\nmaxmemory:{most}\r\nmaxmemory_policy:{policy}\r\n"
            )
        };
        for (most, policy) in [(0, "allkeys-lru"), (1, "noeviction")] {
            assert_eq!(refuse_eviction(&memory(most, policy)), Ok(()), "{policy}");
        }
        for policy in ["allkeys-lru", "volatile-ttl"] {
            let refusal = refuse_eviction(&memory(1, policy)).expect_err("refused");
            assert!(refusal.message.contains(policy), "{refusal}");
        }
    }
}
