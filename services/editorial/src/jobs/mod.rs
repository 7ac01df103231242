//! What runs by the clock.

pub(crate) mod publish;
