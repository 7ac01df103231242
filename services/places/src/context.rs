//! The state that use cases, consumers and jobs share.

use chassis::{clock::SharedClock, postgres::Outbox};
use sqlx::PgPool;

/// The service's state.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) clock: SharedClock,
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Context").finish_non_exhaustive()
    }
}
