//! Search: updating and querying the index.

pub(crate) mod cached;
pub(crate) mod find;
pub(crate) mod index;
pub(crate) mod mark;
pub(crate) mod misses;
pub(crate) mod parts;
pub(crate) mod read_names;
mod sources;
pub(crate) mod suggest;
