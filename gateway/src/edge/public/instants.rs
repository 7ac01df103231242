//! The instants at which contents were first found, as far as replicas share them.

use std::time::Duration;

use bytes::Bytes;
use chassis::{cache::SharedCache, digest, error::Fault, instant};
use chrono::{DateTime, Utc};

/// The time for which replicas agree on the instant of a content that none of them has in memory.
const LIVE: Duration = Duration::from_hours(24);
/// After this time an answer is made without the shared cache.
const TIMEOUT: Duration = Duration::from_millis(200);
/// Places for instants in the shared cache: some 30 MB at most, however many questions strangers invent.
const SLOTS: u64 = 1 << 18;
/// Hexadecimal digits of a digest that choose a place; the others tell two contents in one place apart.
const SLOT_DIGITS: usize = 8;

/// The instants in the shared cache. Each has its place by a digest of its question and content; a content that finds
/// another in its place takes it over, so that their number is bounded.
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

    /// The instant at which any replica first found this content under this key: now, if this is the first or the
    /// shared cache is unavailable.
    pub(super) async fn first(
        &self,
        key: &str,
        content: [u8; 32],
        now: DateTime<Utc>,
    ) -> DateTime<Utc> {
        match tokio::time::timeout(TIMEOUT, self.ask(key, content, now)).await {
            Ok(Ok(first)) => first,
            Ok(Err(error)) => {
                tracing::debug!(%error, "the replicas cannot agree on the instant of an answer");
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

/// The instant of a place, if it is this content's.
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

    /// A cache that notes the keys it is given.
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

    /// Without a part that the API's instants do not have.
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
