//! Events handled here.

pub(crate) mod search;
