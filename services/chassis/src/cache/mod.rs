//! The shared cache, for values that may be lost at any time. Data that must not be lost is in PostgreSQL.

mod in_process;
mod redis;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use bytes::Bytes;

pub use in_process::InProcessCache;
pub use redis::RedisCache;

use crate::error::Fault;

/// A cache. An error means that the cache is unavailable: callers continue without it, unless a lost value would harm a
/// reader.
#[async_trait]
pub trait Cache: Send + Sync + 'static {
    /// The value of this key; `None` if it does not exist or has expired.
    async fn get(&self, key: &str) -> Result<Option<Bytes>, Fault>;

    /// Sets the value of this key, with this lifetime, replacing any value. The cache is tried even if it was
    /// unavailable a moment ago, because a sign-out must not be missed.
    async fn set(&self, key: &str, value: Bytes, lives: Duration) -> Result<(), Fault>;

    /// Sets the value of this key only if the key has no value; returns whether it was set. This way, a reader of the
    /// database does not overwrite a newer value from the writer.
    async fn set_if_absent(&self, key: &str, value: Bytes, lives: Duration) -> Result<bool, Fault>;
}

/// A cache shared by all parts of a process.
pub type SharedCache = Arc<dyn Cache>;
