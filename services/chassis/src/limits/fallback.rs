//! Token buckets that keep working while the shared buckets are unavailable.

use async_trait::async_trait;

use super::{BucketState, Buckets, InProcessBuckets, Rate, SharedBuckets};
use crate::{clock::SharedClock, error::Fault};

/// Uses shared buckets, and this process's own buckets while the shared ones are unavailable. Each process then limits
/// requests separately, which is better than no limit and locks no reader out.
#[derive(Clone)]
pub struct FallbackBuckets {
    shared: SharedBuckets,
    own: InProcessBuckets,
}

crate::opaque_debug!(FallbackBuckets);

impl FallbackBuckets {
    /// Shared buckets, with this process's own buckets as the fallback.
    #[must_use]
    pub fn behind(shared: SharedBuckets, clock: SharedClock) -> Self {
        let own = InProcessBuckets::new(clock);
        Self { shared, own }
    }
}

#[async_trait]
impl Buckets for FallbackBuckets {
    async fn take(&self, key: &str, rate: Rate, tokens: u32) -> Result<BucketState, Fault> {
        match self.shared.take(key, rate, tokens).await {
            Ok(standing) => Ok(standing),
            Err(error) => {
                tracing::debug!(%error, "the shared limits are unavailable; this process counts alone");
                self.own.take(key, rate, tokens).await
            }
        }
    }

    async fn give_back(&self, key: &str, rate: Rate, tokens: u32) -> Result<(), Fault> {
        match self.shared.give_back(key, rate, tokens).await {
            Ok(()) => Ok(()),
            Err(_) => self.own.give_back(key, rate, tokens).await,
        }
    }
}
