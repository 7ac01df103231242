//! An in-memory cache of frequently requested pictures, which saves reading them from the store. Entries expire after a
//! minute, which limits how long a deleted photo remains available.

use std::{ops::Range, sync::Arc, time::Duration};

use bytes::Bytes;
use chassis::{
    blobs::{Blobs, Content},
    clock::SharedClock,
    error::Fault,
};
use chrono::{DateTime, TimeDelta, Utc};
use moka::future::Cache;

/// Larger files are always streamed from the store.
const LARGEST: u64 = 512 * 1024;
/// How long a file is cached.
const KEPT: Duration = Duration::from_mins(1);
/// How long the absence of a file is cached.
const ABSENT: TimeDelta = TimeDelta::seconds(5);
/// Maximum memory for absent files, in bytes, as clients can invent any number of addresses.
const MAX_ABSENT_BYTES: u64 = 1 << 20;
/// Bytes of memory that an entry uses besides its content.
const OVERHEAD: u32 = 256;

/// A file from memory or from the store.
pub(super) enum Found {
    Kept(Bytes),
    Streamed(Content),
}

/// Cached files. Cheap to clone.
#[derive(Clone)]
pub(crate) struct HotPictures {
    blobs: Blobs,
    kept: Cache<Arc<str>, Bytes>,
    /// When each absent file was looked for.
    absent: Cache<Arc<str>, DateTime<Utc>>,
    clock: SharedClock,
}

impl std::fmt::Debug for HotPictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HotPictures")
            .field("kept", &self.kept.entry_count())
            .finish_non_exhaustive()
    }
}

impl HotPictures {
    /// Creates a cache of these blobs with at most `max_bytes`.
    pub(crate) fn new(blobs: Blobs, max_bytes: u64, clock: SharedClock) -> Self {
        let weigh = |key: &Arc<str>, content: &Bytes| {
            let size = key.len() + content.len();
            u32::try_from(size).map_or(u32::MAX, |size| size.saturating_add(OVERHEAD))
        };
        let kept = Cache::builder()
            .max_capacity(max_bytes)
            .weigher(weigh)
            .time_to_live(KEPT)
            .build();
        let absent = Cache::builder()
            .max_capacity(MAX_ABSENT_BYTES)
            .weigher(|key: &Arc<str>, _: &DateTime<Utc>| {
                u32::try_from(key.len()).map_or(u32::MAX, |size| size.saturating_add(OVERHEAD))
            })
            .build();
        Self {
            blobs,
            kept,
            absent,
            clock,
        }
    }

    /// Returns the underlying store.
    pub(crate) fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// Returns a file from memory. `Some(None)` if the file did not exist a moment ago, `None` if the store has to be
    /// read.
    pub(super) async fn recall(&self, key: &str) -> Option<Option<Bytes>> {
        let mut recalled = self.kept.get(key).await.map(Some);
        if recalled.is_none() {
            let absent = self.absent.get(key).await;
            let is_recent = |at: DateTime<Utc>| self.clock.now() - at < ABSENT;
            recalled = absent.is_some_and(is_recent).then_some(None);
        }
        count(recalled.is_some());
        recalled
    }

    /// Returns a file's size from the store; `None` if it does not exist.
    pub(super) async fn size(&self, key: &str) -> Result<Option<u64>, Fault> {
        let size = self.blobs.size(key).await?;
        self.note_absence(key, size.is_none()).await;
        Ok(size)
    }

    /// Returns a range of a file from the store; `None` if the file does not exist.
    pub(super) async fn part(&self, key: &str, range: Range<u64>) -> Result<Option<Found>, Fault> {
        let content = self.blobs.read(key, Some(range)).await?;
        Ok(content.map(Found::Streamed))
    }

    /// Returns a file from the store and caches it; `None` if it does not exist.
    pub(super) async fn find(&self, key: &str) -> Result<Option<Found>, Fault> {
        let content = self.blobs.read(key, None).await?;
        self.note_absence(key, content.is_none()).await;
        let Some(content) = content else {
            return Ok(None);
        };
        if content.size > LARGEST {
            return Ok(Some(Found::Streamed(content)));
        }
        let content = content.collect().await?;
        self.kept.insert(Arc::from(key), content.clone()).await;
        self.measure();
        Ok(Some(Found::Kept(content)))
    }

    async fn note_absence(&self, key: &str, is_absent: bool) {
        if is_absent {
            self.absent.insert(Arc::from(key), self.clock.now()).await;
        }
    }

    fn measure(&self) {
        let bytes = u32::try_from(self.kept.weighted_size()).unwrap_or(u32::MAX);
        metrics::gauge!("media_kept_bytes").set(f64::from(bytes));
    }
}

fn count(is_kept: bool) {
    let from = if is_kept { "memory" } else { "store" };
    metrics::counter!("media_served_total", "from" => from).increment(1);
}

#[cfg(test)]
mod tests {
    use testkit::clock::ManualClock;

    use super::*;

    #[tokio::test]
    async fn a_small_file_is_read_once_and_a_large_one_is_streamed_each_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let blobs = Blobs::in_folder(folder.path()).expect("a folder");
        let hot = HotPictures::new(blobs.clone(), 1 << 20, ManualClock::shared());
        let large = vec![0; usize::try_from(LARGEST).expect("a size") + 1];
        blobs.keep("a", "small".into()).await.expect("kept");
        blobs.keep("b", large.into()).await.expect("kept");
        let found = hot.find("a").await.expect("answers").expect("there");
        assert!(matches!(found, Found::Kept(content) if content == "small"));
        blobs.delete("a").await.expect("deleted");
        assert_eq!(hot.recall("a").await, Some(Some("small".into())));
        for _ in 0..2 {
            let found = hot.find("b").await.expect("answers").expect("there");
            assert!(matches!(found, Found::Streamed(_)));
            assert_eq!(hot.recall("b").await, None);
        }
        hot.kept.run_pending_tasks().await;
        assert!(hot.kept.weighted_size() < 1_000);
    }

    #[tokio::test]
    async fn absence_is_remembered_within_a_bound() {
        let folder = tempfile::tempdir().expect("a folder");
        let clock = ManualClock::shared();
        let blobs = Blobs::in_folder(folder.path()).expect("a folder");
        let hot = HotPictures::new(blobs, 1 << 20, clock.clone());
        assert_eq!(hot.recall("a").await, None);
        assert!(hot.find("a").await.expect("answers").is_none());
        assert_eq!(hot.recall("a").await, Some(None));
        clock.advance(ABSENT);
        assert_eq!(hot.recall("a").await, None);
        assert_eq!(hot.size("b").await.expect("answers"), None);
        assert_eq!(hot.recall("b").await, Some(None));
        for number in 0..10_000 {
            let key = format!("invented-{number}.webp");
            assert!(hot.find(&key).await.expect("answers").is_none());
        }
        hot.absent.run_pending_tasks().await;
        assert!(hot.absent.weighted_size() <= MAX_ABSENT_BYTES);
        assert!(hot.absent.entry_count() < 10_000);
    }

    #[tokio::test]
    async fn no_more_is_kept_than_allowed() {
        let folder = tempfile::tempdir().expect("a folder");
        let blobs = Blobs::in_folder(folder.path()).expect("a folder");
        let hot = HotPictures::new(blobs.clone(), 10_000, ManualClock::shared());
        for number in 0..20 {
            let key = format!("{number}");
            blobs.keep(&key, vec![0; 1_000].into()).await.expect("kept");
            hot.find(&key).await.expect("answers").expect("there");
        }
        hot.kept.run_pending_tasks().await;
        assert!(hot.kept.weighted_size() <= 10_000);
    }
}
