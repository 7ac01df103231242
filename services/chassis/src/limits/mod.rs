//! Token buckets for rate limits. They are kept where every process that counts the same thing can reach
//! them.

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

/// A store of token buckets. A bucket that nobody has taken from is full. An error means that the store is
/// unavailable.
#[async_trait]
pub trait Buckets: Send + Sync + 'static {
    /// Takes a token if there is one. Of parallel calls, no more succeed than there are tokens.
    async fn take(&self, key: &str, rate: Rate) -> Result<BucketState, Fault>;

    /// Puts back a token that was taken before.
    async fn give_back(&self, key: &str, rate: Rate) -> Result<(), Fault>;
}

/// Buckets that are shared by all parts of a process.
pub type SharedBuckets = Arc<dyn Buckets>;
