//! The cache that several processes share.

use std::{
    future::Future,
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use async_trait::async_trait;
use bytes::Bytes;
use chrono::TimeDelta;
use redis::{
    AsyncTypedCommands, Client, ExistenceCheck, RedisResult, SetExpiry, SetOptions,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

use super::Cache;
use crate::{
    clock::SharedClock,
    error::{Code, Fault},
};

/// A cache that takes longer is not worth asking.
const PATIENCE: Duration = Duration::from_millis(250);
/// After a failure nobody asks for so long: readers do not pay for a cache that is away.
const PAUSE: TimeDelta = TimeDelta::seconds(1);

/// Keeps values in Redis, under keys that begin with the system's namespace.
pub struct RedisCache {
    connection: ConnectionManager,
    namespace: String,
    clock: SharedClock,
    /// Milliseconds since the epoch until which the cache counts as away.
    away_until: AtomicI64,
}

impl std::fmt::Debug for RedisCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisCache")
            .field("namespace", &self.namespace)
            .finish_non_exhaustive()
    }
}

impl RedisCache {
    /// A cache at an address (`redis://host:port/database`), connected at the first use and again
    /// whenever the connection is lost.
    pub fn new(url: &str, namespace: &str, clock: SharedClock) -> Result<Self, Fault> {
        let refuse = |error: redis::RedisError| {
            Fault::new(
                Code::Invalid,
                format!("settings: cache.url is not valid: {error}"),
            )
        };
        let client = Client::open(url).map_err(refuse)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE))
            .set_number_of_retries(0);
        let connection = ConnectionManager::new_lazy_with_config(client, config).map_err(refuse)?;
        let (namespace, away_until) = (namespace.to_owned(), AtomicI64::new(0));
        Ok(Self {
            connection,
            namespace,
            clock,
            away_until,
        })
    }

    fn key(&self, key: &str) -> String {
        format!("{}:{key}", self.namespace)
    }

    async fn ask<T>(&self, question: impl Future<Output = RedisResult<T>>) -> Result<T, Fault> {
        let now = self.clock.now();
        if now.timestamp_millis() < self.away_until.load(Ordering::Relaxed) {
            return Err(Fault::new(Code::Unavailable, "Redis was away a moment ago"));
        }
        let why = match tokio::time::timeout(PATIENCE, question).await {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer in time".to_owned(),
        };
        self.away_until
            .store((now + PAUSE).timestamp_millis(), Ordering::Relaxed);
        metrics::counter!("cache_failures_total").increment(1);
        Err(Fault::new(Code::Unavailable, format!("Redis: {why}")))
    }
}

fn expiry(lives: Duration) -> SetExpiry {
    SetExpiry::PX(u64::try_from(lives.as_millis()).unwrap_or(u64::MAX).max(1))
}

#[async_trait]
impl Cache for RedisCache {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, Fault> {
        let mut connection = self.connection.clone();
        let key = self.key(key);
        self.ask(async move {
            let mut command = redis::cmd("GET");
            let value: Option<Vec<u8>> = command.arg(key).query_async(&mut connection).await?;
            Ok(value.map(Bytes::from))
        })
        .await
    }

    async fn set(&self, key: &str, value: Bytes, lives: Duration) -> Result<(), Fault> {
        let mut connection = self.connection.clone();
        let key = self.key(key);
        let options = SetOptions::default().with_expiration(expiry(lives));
        self.ask(async move {
            connection
                .set_options(key, &value[..], options)
                .await
                .map(drop)
        })
        .await
    }

    async fn set_if_absent(&self, key: &str, value: Bytes, lives: Duration) -> Result<bool, Fault> {
        let mut connection = self.connection.clone();
        let key = self.key(key);
        let options = SetOptions::default()
            .conditional_set(ExistenceCheck::NX)
            .with_expiration(expiry(lives));
        self.ask(async move {
            connection
                .set_options(key, &value[..], options)
                .await
                .map(|done| done.is_some())
        })
        .await
    }
}
