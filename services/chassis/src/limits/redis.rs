//! Token buckets shared by several processes.

use std::time::Duration;

use async_trait::async_trait;
use redis::RedisResult;

use super::{BucketState, Buckets, Rate, bucket::Micros};
use crate::{clock::SharedClock, error::Fault, redis_server::RedisServer};

/// Longer than the cache's timeout: a write can wait a little, and a request that is not counted here is not counted
/// across processes.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Atomically takes (`ARGV[4]` > 0) or returns (< 0) tokens. A bucket is stored as the instant, in microseconds, at
/// which it will be full; a full bucket has no key. Returns whether the change was made, and the time until the bucket
/// is full. The rules are the same as in [`super::bucket`].
const CHANGE: &str = "
    local now, interval, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
    local full_at = tonumber(redis.call('GET', KEYS[1]) or now)
    local used = math.min(math.max(full_at - now, 0), window)
    local after = math.max(used + interval * tonumber(ARGV[4]), 0)
    if after > window then
        return {0, used}
    end
    if after == 0 then
        redis.call('DEL', KEYS[1])
    else
        redis.call('SET', KEYS[1], string.format('%.0f', now + after), 'PX', math.ceil(after / 1000))
    end
    return {1, after}";

/// Keeps buckets in Redis, under keys that are prefixed with the system's namespace and expire when the bucket is full.
/// The time is the calling process's: a wrong clock shifts a bucket by no more than its window.
pub struct RedisBuckets {
    server: RedisServer,
    clock: SharedClock,
}

crate::opaque_debug!(RedisBuckets);

impl RedisBuckets {
    /// Buckets at this address (`redis://host:port/database`, or `rediss` for TLS). The store connects on first use and
    /// reconnects after the connection is lost. `ca` is the authority of the server's certificate, in PEM; if empty,
    /// the public authorities are used.
    pub fn new(url: &str, ca: &str, namespace: &str, clock: SharedClock) -> Result<Self, Fault> {
        let server = RedisServer::new(url, ca, namespace, clock.clone(), TIMEOUT)?;
        Ok(Self { server, clock })
    }

    async fn change(&self, key: &str, rate: Rate, by: i64) -> Result<(bool, i64), Fault> {
        let Micros { interval, window } = Micros::new(rate);
        let mut connection = self.server.connection();
        let mut command = redis::cmd("EVAL");
        command
            .arg(CHANGE)
            .arg(1)
            .arg(self.server.key(&format!("limit:{key}")))
            .arg(self.clock.now().timestamp_micros())
            .arg(interval)
            .arg(window)
            .arg(by);
        self.server
            .ask(async move {
                let answer: RedisResult<(bool, i64)> = command.query_async(&mut connection).await;
                answer
            })
            .await
    }
}

#[async_trait]
impl Buckets for RedisBuckets {
    async fn take(&self, key: &str, rate: Rate, tokens: u32) -> Result<BucketState, Fault> {
        let (is_allowed, used) = self.change(key, rate, tokens.into()).await?;
        Ok(BucketState::new(rate, is_allowed, used, tokens))
    }

    async fn give_back(&self, key: &str, rate: Rate, tokens: u32) -> Result<(), Fault> {
        self.change(key, rate, -i64::from(tokens)).await.map(drop)
    }
}
