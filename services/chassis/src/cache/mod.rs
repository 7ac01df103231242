//! The shared cache: answers that may be forgotten at any time. What must not be forgotten is in
//! PostgreSQL.

mod in_process;
mod redis;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;

pub use in_process::InProcessCache;
pub use redis::RedisCache;

use crate::error::Fault;

/// A cache. An error means that the cache is unavailable: callers go on without it, unless forgetting would
/// harm a reader.
#[async_trait]
pub trait Cache: Send + Sync + 'static {
    /// The value under a key; `None` if there is none or it has expired.
    async fn get(&self, key: &str) -> Result<Option<Bytes>, Fault>;

    /// Puts a value under a key, for this long, whatever was there. This is tried even if the cache was unavailable a
    /// moment ago: a sign-out must not be missed.
    async fn set(&self, key: &str, value: Bytes, lives: Duration) -> Result<(), Fault>;

    /// Puts a value under a key only if there is none. Returns whether it did: this is how a reader of the
    /// database avoids overwriting a newer value from its writer.
    async fn set_if_absent(&self, key: &str, value: Bytes, lives: Duration) -> Result<bool, Fault>;
}

/// A cache that is shared by all parts of a process.
pub type SharedCache = Arc<dyn Cache>;
