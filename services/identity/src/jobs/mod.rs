//! Periodic jobs, and jobs queued by use cases.

pub(crate) mod erase;
pub(crate) mod last_backup;
pub(crate) mod password_reset;
pub(crate) mod purge;
pub(crate) mod third_parties;
