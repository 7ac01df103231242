//! Public answers: the same for everyone, so they are cached here, encoded, and may be cached by anyone,
//! under a strong `ETag`. Requests for one key share one computation (single-flight); an aged answer is
//! served while it is recomputed; what the bus reports as changed is dropped.

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

pub(crate) use self::{
    cache::PublicCache,
    content::Content,
    encoding::relax,
    freshness::Freshness,
    key::{CacheKey, Tag},
    replays::{Public, Replay},
    request::PublicRequest,
};
