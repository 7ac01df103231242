//! Deletes entries of past contests.

use chassis::error::Fault;

use crate::{context::Context, store::entries};

/// Deletes the entries of contests that closed before the configured period; returns their number.
pub(crate) async fn forget_entries(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - context.entries_kept;
    entries::delete_of_closed(&context.pool, before).await
}
