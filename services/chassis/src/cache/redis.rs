//! The cache shared by several processes.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use redis::{AsyncTypedCommands, ExistenceCheck, SetExpiry, SetOptions};

use super::Cache;
use crate::{clock::SharedClock, error::Fault, redis_server::RedisServer};

/// The timeout of a cache command: a slower cache is not worth waiting for.
const TIMEOUT: Duration = Duration::from_millis(250);

/// Keeps values in Redis, under keys prefixed with the system's namespace.
#[derive(Debug)]
pub struct RedisCache {
    server: RedisServer,
}

impl RedisCache {
    /// A cache at this address (`redis://host:port/database`, or `rediss` for TLS). It connects on first use and
    /// reconnects after the connection is lost. `ca` is the authority of the server's certificate, in PEM; if empty,
    /// the public authorities are used.
    pub fn new(url: &str, ca: &str, namespace: &str, clock: SharedClock) -> Result<Self, Fault> {
        let server = RedisServer::new(url, ca, namespace, clock, TIMEOUT)?;
        Ok(Self { server })
    }

    /// Whether the server responds; [`crate::error::Code::Unavailable`] with the reason if not, and
    /// [`crate::error::Code::Invalid`] if it would evict keys.
    pub async fn check(&self) -> Result<(), Fault> {
        self.server.check().await
    }
}

fn expiry(lives: Duration) -> SetExpiry {
    SetExpiry::PX(u64::try_from(lives.as_millis()).unwrap_or(u64::MAX).max(1))
}

#[async_trait]
impl Cache for RedisCache {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, Fault> {
        let mut connection = self.server.connection();
        let key = self.server.key(key);
        self.server
            .ask(async move {
                let mut command = redis::cmd("GET");
                let value: Option<Vec<u8>> = command.arg(key).query_async(&mut connection).await?;
                Ok(value.map(Bytes::from))
            })
            .await
    }

    async fn set(&self, key: &str, value: Bytes, lives: Duration) -> Result<(), Fault> {
        let mut connection = self.server.connection();
        let key = self.server.key(key);
        let options = SetOptions::default().with_expiration(expiry(lives));
        self.server
            .insist(async move {
                connection
                    .set_options(key, &value[..], options)
                    .await
                    .map(drop)
            })
            .await
    }

    async fn set_if_absent(&self, key: &str, value: Bytes, lives: Duration) -> Result<bool, Fault> {
        let mut connection = self.server.connection();
        let key = self.server.key(key);
        let options = SetOptions::default()
            .conditional_set(ExistenceCheck::NX)
            .with_expiration(expiry(lives));
        self.server
            .ask(async move {
                connection
                    .set_options(key, &value[..], options)
                    .await
                    .map(|done| done.is_some())
            })
            .await
    }
}
