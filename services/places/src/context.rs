//! The state that use cases, consumers and jobs share.

use std::sync::Arc;

use chassis::{
    clock::SharedClock,
    postgres::{Outbox, stamps::Stamps},
};
use sqlx::PgPool;
use tokio::sync::Semaphore;

use crate::domain::BurstRule;

/// The service's state.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
    pub(crate) stamps: Stamps,
    pub(crate) bursts: BurstRule,
    /// Matchings of readers' lists.
    pub(crate) matching: Arc<Semaphore>,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}
