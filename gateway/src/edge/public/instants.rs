//! Shares between replicas the times at which content was first found.

use std::time::Duration;

use bytes::Bytes;
use chassis::{cache::SharedCache, digest, error::Fault, instant};
use chrono::{DateTime, Utc};

/// How long replicas share the time of content that none of them has in memory.
const LIVE: Duration = Duration::from_hours(24);
/// Timeout of a shared cache call; the answer then uses the current time.
const TIMEOUT: Duration = Duration::from_millis(200);
/// Number of slots in the shared cache. They take at most about 30 MB, for any number of different queries.
const SLOTS: u64 = 1 << 18;
/// Number of hexadecimal digest digits that select a slot; the others identify the content.
const SLOT_DIGITS: usize = 8;

/// Stores times in the shared cache. A digest of the query and its content selects a slot. New content overwrites other
/// content in the same slot, which limits the memory.
#[derive(Clone)]
pub(super) struct Instants {
    shared: SharedCache,
    slots: u64,
}

impl Instants {
    pub(super) fn new(shared: SharedCache) -> Self {
        Self {
            shared,
            slots: SLOTS,
        }
    }

    /// Returns the time at which a replica first found this content under this key. Returns the current time if the
    /// content is new or the shared cache is unavailable.
    pub(super) async fn first(
        &self,
        key: &str,
        content: [u8; 32],
        now: DateTime<Utc>,
    ) -> DateTime<Utc> {
        match tokio::time::timeout(TIMEOUT, self.ask(key, content, now)).await {
            Ok(Ok(first)) => first,
            Ok(Err(error)) => {
                tracing::debug!(%error, "the shared computation time of a response could not be fetched");
                now
            }
            Err(_) => now,
        }
    }

    async fn ask(
        &self,
        key: &str,
        content: [u8; 32],
        now: DateTime<Utc>,
    ) -> Result<DateTime<Utc>, Fault> {
        let digest = digest::hex([key.as_bytes(), &content].concat(), 16);
        let (place, mark) = digest.split_at(SLOT_DIGITS);
        let slot = self.slot(place);
        let ours = Bytes::from(format!("{mark} {}", instant::to_rfc3339(now)));
        if self.shared.set_if_absent(&slot, ours.clone(), LIVE).await? {
            return Ok(now);
        }
        let there = self.shared.get(&slot).await?;
        if let Some(first) = there.and_then(|there| read(&there, mark)) {
            return Ok(first);
        }
        self.shared.set(&slot, ours, LIVE).await?;
        Ok(now)
    }

    fn slot(&self, digits: &str) -> String {
        let place = u64::from_str_radix(digits, 16).unwrap_or_default() % self.slots;
        format!("public:{place:x}")
    }
}

/// Parses a slot; `None` if it belongs to other content.
fn read(there: &[u8], mark: &str) -> Option<DateTime<Utc>> {
    let there = std::str::from_utf8(there).ok()?;
    let (of, instant) = there.split_once(' ')?;
    (of == mark).then(|| instant::from_rfc3339(instant))?
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        sync::{Arc, Mutex},
    };

    use async_trait::async_trait;
    use chassis::cache::{Cache, InProcessCache};
    use chrono::TimeDelta;

    use super::*;

    const CONTENT: [u8; 32] = [1; 32];

    /// A cache that records its keys.
    struct Noting {
        inner: InProcessCache,
        keys: Mutex<BTreeSet<String>>,
    }

    #[async_trait]
    impl Cache for Noting {
        async fn get(&self, key: &str) -> Result<Option<Bytes>, Fault> {
            self.inner.get(key).await
        }

        async fn set(&self, key: &str, value: Bytes, lives: Duration) -> Result<(), Fault> {
            self.keys.lock().expect("no panic").insert(key.to_owned());
            self.inner.set(key, value, lives).await
        }

        async fn set_if_absent(
            &self,
            key: &str,
            value: Bytes,
            lives: Duration,
        ) -> Result<bool, Fault> {
            self.keys.lock().expect("no panic").insert(key.to_owned());
            self.inner.set_if_absent(key, value, lives).await
        }
    }

    /// A time in whole milliseconds, the resolution of API timestamps.
    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp_millis(1_800_000_000_123).expect("in range")
    }

    fn noting() -> Arc<Noting> {
        Arc::new(Noting {
            inner: InProcessCache::new(1 << 20),
            keys: Mutex::default(),
        })
    }

    #[tokio::test]
    async fn replicas_agree_on_the_instant_of_a_content() {
        let shared = noting();
        let [one, other] = [(); 2].map(|()| Instants::new(shared.clone()));
        let now = now();
        let later = now + TimeDelta::seconds(5);
        let first = one.first("/l/", CONTENT, now).await;
        assert_eq!(other.first("/l/", CONTENT, later).await, first);
        assert_eq!(other.first("/l/", [2; 32], later).await, later);
        assert_eq!(other.first("/other/", CONTENT, later).await, later);
    }

    #[tokio::test]
    async fn however_many_questions_are_invented_the_places_are_few_and_the_last_in_each_stays() {
        let shared = noting();
        let [one, other] = [(); 2].map(|()| Instants {
            shared: shared.clone(),
            slots: 4,
        });
        let now = now();
        for invented in 0..500 {
            let key = format!("/l/?keywords={invented}");
            assert_eq!(one.first(&key, CONTENT, now).await, now);
        }
        let places = shared.keys.lock().expect("no panic").len();
        assert!(places <= 4, "{places} places");
        let later = now + TimeDelta::seconds(5);
        assert_eq!(other.first("/l/?keywords=499", CONTENT, later).await, now);
    }
}
