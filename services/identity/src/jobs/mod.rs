//! Jobs: periodic ones, and those that use cases queue.

pub(crate) mod calendar;
pub(crate) mod erase;
pub(crate) mod password_reset;
pub(crate) mod purge;
