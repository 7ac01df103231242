//! The search: the index follows what changes, and answers.

pub(crate) mod find;
pub(crate) mod index;
pub(crate) mod lexicons;
pub(crate) mod mark;
pub(crate) mod misses;
mod sources;
pub(crate) mod suggest;
