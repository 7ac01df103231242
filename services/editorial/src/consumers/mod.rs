//! Consumers of events.

pub(crate) mod search;
