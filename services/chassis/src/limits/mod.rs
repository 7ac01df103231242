//! Token buckets for rate limits, stored where every process that shares a limit can reach them.

mod bucket;
mod fallback;
mod in_process;
mod rate;
mod redis;

use std::sync::Arc;

use async_trait::async_trait;

pub use bucket::{BucketState, take_up_to};
pub use fallback::FallbackBuckets;
pub use in_process::InProcessBuckets;
pub use rate::Rate;
pub use redis::RedisBuckets;

use crate::error::Fault;

/// A store of token buckets. An unused bucket is full. An error means that the store is unavailable.
#[async_trait]
pub trait Buckets: Send + Sync + 'static {
    /// Takes all `tokens` if the bucket has them, otherwise none. Concurrent calls never take more tokens than there
    /// are.
    async fn take(&self, key: &str, rate: Rate, tokens: u32) -> Result<BucketState, Fault>;

    /// Returns tokens taken before.
    async fn give_back(&self, key: &str, rate: Rate, tokens: u32) -> Result<(), Fault>;
}

/// Buckets shared by all parts of a process.
pub type SharedBuckets = Arc<dyn Buckets>;
