//! Jobs: periodic ones, and those that use cases queue.

pub(crate) mod password_reset;
pub(crate) mod purge;
