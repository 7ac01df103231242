//! What use cases, consumers and jobs stand on.

use chassis::{cache::SharedCache, clock::SharedClock, entropy::SharedEntropy, postgres::Outbox};
use sqlx::PgPool;

use crate::domain::PasswordHasher;

/// What the use cases need.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) pool: PgPool,
    pub(crate) outbox: Outbox,
    pub(crate) cache: SharedCache,
    pub(crate) clock: SharedClock,
    pub(crate) entropy: SharedEntropy,
    pub(crate) passwords: PasswordHasher,
}
