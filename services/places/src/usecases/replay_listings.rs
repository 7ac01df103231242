//! Replays place summaries for a consumer that has lost events.

use chassis::error::Fault;

use super::announce;
use crate::{context::Context, store::listings};

/// Number of places per transaction.
const BATCH: i64 = 1000;

/// Appends events about every place; returns the number of places. Consumers keep the latest version, so repetitions do
/// no harm.
pub(crate) async fn replay_listings(context: &Context) -> Result<u64, Fault> {
    let (mut after, mut replayed) = (0, 0);
    loop {
        let page = listings::summaries(&context.pool, after, BATCH).await?;
        let Some(last) = page.last() else {
            return Ok(replayed);
        };
        after = last.id;
        replayed += page.len() as u64;
        let mut transaction = context.pool.begin().await?;
        announce(context, &mut transaction, &page).await?;
        context.outbox.commit(transaction).await?;
    }
}
