//! What runs by the clock.

pub(crate) mod forget_entries;
pub(crate) mod publish;
