//! Delete the entries of contests that ended long ago.

use chassis::error::Fault;

use crate::{context::Context, store::entries};

/// Deletes the entries of contests that closed as long ago as the settings say; returns how many.
pub(crate) async fn forget_entries(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - context.entries_kept;
    entries::delete_of_closed(&context.pool, before).await
}
