//! An in-memory cache of frequently requested pictures, which saves reading them from the store. Entries expire after a
//! minute, which limits how long a deleted photo remains available.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use chassis::{
    blobs::{Blobs, Content},
    error::Fault,
};
use moka::future::Cache;

/// Larger files are always streamed from the store.
const LARGEST: u64 = 512 * 1024;
/// How long a file is cached.
const KEPT: Duration = Duration::from_mins(1);
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
    pub(crate) fn new(blobs: Blobs, max_bytes: u64) -> Self {
        let weigh = |key: &Arc<str>, content: &Bytes| {
            let size = key.len() + content.len();
            u32::try_from(size).map_or(u32::MAX, |size| size.saturating_add(OVERHEAD))
        };
        let kept = Cache::builder()
            .max_capacity(max_bytes)
            .weigher(weigh)
            .time_to_live(KEPT)
            .build();
        Self { blobs, kept }
    }

    /// Returns the underlying store.
    pub(crate) fn blobs(&self) -> &Blobs {
        &self.blobs
    }

    /// Returns a file; `None` if it does not exist.
    pub(super) async fn find(&self, key: &str) -> Result<Option<Found>, Fault> {
        let kept = self.kept.get(key).await;
        count(kept.is_some());
        if let Some(kept) = kept {
            return Ok(Some(Found::Kept(kept)));
        }
        let Some(content) = self.blobs.read(key, None).await? else {
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
    use super::*;

    #[tokio::test]
    async fn a_small_file_is_read_once_and_a_large_one_is_streamed_each_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let blobs = Blobs::in_folder(folder.path()).expect("a folder");
        let hot = HotPictures::new(blobs.clone(), 1 << 20);
        assert!(hot.find("a").await.expect("answers").is_none());
        let large = vec![0; usize::try_from(LARGEST).expect("a size") + 1];
        blobs.keep("a", "small".into()).await.expect("kept");
        blobs.keep("b", large.into()).await.expect("kept");
        for _ in 0..2 {
            let found = hot.find("a").await.expect("answers").expect("there");
            assert!(matches!(found, Found::Kept(content) if content == "small"));
            blobs.delete("a").await.expect("deleted");
            let found = hot.find("b").await.expect("answers").expect("there");
            assert!(matches!(found, Found::Streamed(_)));
        }
        hot.kept.run_pending_tasks().await;
        assert!(hot.kept.weighted_size() < 1_000);
    }

    #[tokio::test]
    async fn no_more_is_kept_than_allowed() {
        let folder = tempfile::tempdir().expect("a folder");
        let blobs = Blobs::in_folder(folder.path()).expect("a folder");
        let hot = HotPictures::new(blobs.clone(), 10_000);
        for number in 0..20 {
            let key = format!("{number}");
            blobs.keep(&key, vec![0; 1_000].into()).await.expect("kept");
            hot.find(&key).await.expect("answers").expect("there");
        }
        hot.kept.run_pending_tasks().await;
        assert!(hot.kept.weighted_size() <= 10_000);
    }
}
