//! The cache of a single-process system.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use bytes::Bytes;
use moka::{Expiry, future::Cache as Moka, ops::compute::Op, policy::EvictionPolicy};

use super::Cache;
use crate::error::Fault;

/// Keeps values in memory, up to a maximum total size; evicts the least recently used values first.
#[derive(Debug, Clone)]
pub struct InProcessCache {
    entries: Moka<String, Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    value: Bytes,
    lives: Duration,
}

struct PerEntry;

impl Expiry<String, Entry> for PerEntry {
    fn expire_after_create(&self, _: &String, entry: &Entry, _: Instant) -> Option<Duration> {
        Some(entry.lives)
    }

    fn expire_after_update(
        &self,
        _: &String,
        entry: &Entry,
        _: Instant,
        _: Option<Duration>,
    ) -> Option<Duration> {
        Some(entry.lives)
    }
}

impl InProcessCache {
    /// A cache that holds at most `most_bytes` bytes of keys and values.
    #[must_use]
    pub fn new(most_bytes: u64) -> Self {
        let entries = Moka::builder()
            .max_capacity(most_bytes)
            // The default policy keeps frequently used keys and may drop a new key immediately, for example the key of
            // an ended session.
            .eviction_policy(EvictionPolicy::lru())
            .weigher(|key: &String, entry: &Entry| {
                u32::try_from(key.len() + entry.value.len()).unwrap_or(u32::MAX)
            })
            .expire_after(PerEntry)
            .build();
        Self { entries }
    }
}

#[async_trait]
impl Cache for InProcessCache {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, Fault> {
        Ok(self.entries.get(key).await.map(|entry| entry.value))
    }

    async fn set(&self, key: &str, value: Bytes, lives: Duration) -> Result<(), Fault> {
        self.entries
            .insert(key.to_owned(), Entry { value, lives })
            .await;
        Ok(())
    }

    async fn set_if_absent(&self, key: &str, value: Bytes, lives: Duration) -> Result<bool, Fault> {
        let outcome = self
            .entries
            .entry_by_ref(key)
            .and_compute_with(|there| {
                let op = if there.is_some() {
                    Op::Nop
                } else {
                    Op::Put(Entry { value, lives })
                };
                std::future::ready(op)
            })
            .await;
        Ok(matches!(
            outcome,
            moka::ops::compute::CompResult::Inserted(_)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn keys_that_strangers_invent_take_no_more_than_the_bound() {
        const MAX: u64 = 100_000;
        let cache = InProcessCache::new(MAX);
        let value = Bytes::from_static(b"2026-11-23T10:00:00Z");
        for number in 0..20_000 {
            let key = format!("invented:{number}");
            let lives = Duration::from_hours(24);
            cache.set(&key, value.clone(), lives).await.unwrap();
        }
        cache.entries.run_pending_tasks().await;
        let bytes = cache.entries.weighted_size();
        assert!((1..=MAX).contains(&bytes), "{bytes} bytes");
        assert!(cache.entries.entry_count() < 20_000);
    }
}
