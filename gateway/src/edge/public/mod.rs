//! Public responses are the same for everyone. They are encoded and cached here under a strong `ETag`, and any cache
//! may store them. Concurrent requests for a key share one computation (single-flight); stale answers are served while
//! they are recomputed; changes reported by the bus invalidate answers.

mod absent;
mod answer;
mod cache;
mod changes;
mod content;
mod encoding;
mod entry;
mod flights;
mod freshness;
mod improver;
mod instants;
mod invalidation;
mod key;
mod replays;
mod request;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use self::encoding::{Effort, Encoding};

pub(crate) use self::{
    cache::PublicCache,
    content::Content,
    encoding::relax,
    freshness::Freshness,
    key::{CacheKey, Tag},
    replays::{Public, Replay},
    request::PublicRequest,
};
