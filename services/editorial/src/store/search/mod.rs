//! The search index.

pub(crate) mod documents;
pub(crate) mod due;
pub(crate) mod find;
pub(crate) mod lexicon;
pub(crate) mod misses;
pub(crate) mod names;
