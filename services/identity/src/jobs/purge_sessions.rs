//! Deletes expired sessions.

use chassis::error::Fault;

use crate::{context::Context, store::sessions};

/// Deletes them; returns how many.
pub(crate) async fn purge_sessions(context: &Context) -> Result<u64, Fault> {
    sessions::delete_ended(&context.pool, context.clock.now()).await
}
