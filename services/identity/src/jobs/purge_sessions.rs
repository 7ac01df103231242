//! Sessions that have ended by time do not pile up.

use chassis::error::Fault;

use crate::{context::Context, store::sessions};

/// Forgets them; answers how many.
pub(crate) async fn purge_sessions(context: &Context) -> Result<u64, Fault> {
    Ok(sessions::delete_ended(&context.pool, context.clock.now()).await?)
}
