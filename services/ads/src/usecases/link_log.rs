//! Link the log's batches, and sign their links.

use chassis::error::Fault;

use crate::{context::Context, store::batches};

/// Batches that are linked in one transaction.
const BATCH: i64 = 1_000;

/// Links the batches that have been appended; returns how many.
pub(crate) async fn link_log(context: &Context) -> Result<u64, Fault> {
    let mut all = 0;
    loop {
        let mut transaction = context.pool.begin().await?;
        let linked = batches::link(&mut transaction, &context.signer, BATCH).await?;
        transaction.commit().await?;
        all += linked;
        if linked < BATCH.unsigned_abs() {
            return Ok(all);
        }
    }
}
