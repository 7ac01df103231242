//! State shared by use cases, consumers and jobs.

use chassis::{
    bulkhead::Bulkhead,
    clock::SharedClock,
    postgres::{Outbox, stamps::Stamps},
};
use sqlx::PgPool;

use crate::domain::BurstRule;

#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
    pub(crate) stamps: Stamps,
    pub(crate) bursts: BurstRule,
    /// Limits concurrent matchings of readers' lists.
    pub(crate) matching: Bulkhead,
}

chassis::opaque_debug!(Context);
