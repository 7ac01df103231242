//! Token buckets within one process.

use std::{
    future::ready,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use moka::{Expiry, future::Cache as Moka, ops::compute::Op, policy::EvictionPolicy};

use super::{BucketState, Buckets, Rate, bucket::Micros};
use crate::{clock::SharedClock, error::Fault};

/// The maximum number of buckets; the least recently used are evicted.
const MAX: u64 = 200_000;

/// Keeps buckets in memory.
#[derive(Clone)]
pub struct InProcessBuckets {
    buckets: Moka<String, Bucket>,
    clock: SharedClock,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    /// When the bucket will be full, in microseconds since the epoch.
    full_at: i64,
    /// The time until the bucket is full; full buckets need not be stored.
    lives: Duration,
}

struct UntilFull;

impl Expiry<String, Bucket> for UntilFull {
    fn expire_after_create(&self, _: &String, bucket: &Bucket, _: Instant) -> Option<Duration> {
        Some(bucket.lives)
    }

    fn expire_after_update(
        &self,
        _: &String,
        bucket: &Bucket,
        _: Instant,
        _: Option<Duration>,
    ) -> Option<Duration> {
        Some(bucket.lives)
    }
}

crate::opaque_debug!(InProcessBuckets);

impl InProcessBuckets {
    /// Buckets that use this clock.
    #[must_use]
    pub fn new(clock: SharedClock) -> Self {
        Self::bounded(clock, MAX)
    }

    fn bounded(clock: SharedClock, most: u64) -> Self {
        let buckets = Moka::builder()
            .max_capacity(most)
            // The default policy keeps frequently used keys and rejects new ones, which would then have no bucket.
            .eviction_policy(EvictionPolicy::lru())
            .expire_after(UntilFull)
            .build();
        Self { buckets, clock }
    }

    /// Changes a bucket: `how` maps the time until it is full to a new time; `None` leaves it unchanged.
    async fn change(&self, key: &str, rate: Rate, how: impl FnOnce(i64) -> Option<i64> + Send) {
        let now = self.clock.now().timestamp_micros();
        self.buckets
            .entry_by_ref(key)
            .and_compute_with(|there| {
                let full_at = there.map(|entry| entry.into_value().full_at);
                let op = match how(Micros::new(rate).used(full_at, now)) {
                    None => Op::Nop,
                    Some(0) => Op::Remove,
                    Some(used) => Op::Put(Bucket {
                        full_at: now + used,
                        lives: Duration::from_micros(u64::try_from(used).unwrap_or_default()),
                    }),
                };
                ready(op)
            })
            .await;
    }
}

#[async_trait]
impl Buckets for InProcessBuckets {
    async fn take(&self, key: &str, rate: Rate, tokens: u32) -> Result<BucketState, Fault> {
        let mut standing = BucketState::new(rate, false, 0, tokens);
        self.change(key, rate, |used| {
            let taken = Micros::new(rate).take(used, tokens);
            standing = BucketState::new(rate, taken.is_some(), taken.unwrap_or(used), tokens);
            taken
        })
        .await;
        Ok(standing)
    }

    async fn give_back(&self, key: &str, rate: Rate, tokens: u32) -> Result<(), Fault> {
        let given = Micros::new(rate).interval.saturating_mul(tokens.into());
        self.change(key, rate, |used| Some((used - given).max(0)))
            .await;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::clock::SystemClock;

    #[tokio::test]
    async fn addresses_that_strangers_invent_have_no_more_buckets_than_are_kept() {
        let most = 1_000;
        let buckets = InProcessBuckets::bounded(Arc::new(SystemClock), most);
        let rate = "1/h".parse().unwrap();
        for number in 0..5 * most {
            let address = format!("address {number}");
            buckets.take(&address, rate, 1).await.unwrap();
        }
        buckets.buckets.run_pending_tasks().await;
        let kept = buckets.buckets.entry_count();
        assert!((1..=most).contains(&kept), "{kept} buckets");
        // The newest buckets are kept.
        let last = format!("address {}", 5 * most - 1);
        assert!(!buckets.take(&last, rate, 1).await.unwrap().is_allowed);
    }
}
