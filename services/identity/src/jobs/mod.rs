//! What runs by itself.

pub(crate) mod purge_sessions;
