//! Periodic jobs, and jobs queued by use cases.

pub(crate) mod calendar;
pub(crate) mod erase;
pub(crate) mod facebook;
pub(crate) mod password_reset;
pub(crate) mod purge;
