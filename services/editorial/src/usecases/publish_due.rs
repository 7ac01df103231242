//! Publishes and unpublishes due items.

use chassis::error::Fault;

use super::announce_recounted;
use crate::{context::Context, store::turns};

/// Publishes or unpublishes due items, recounts their lists and announces them; returns their number.
pub(crate) async fn publish_due(context: &Context) -> Result<u64, Fault> {
    let mut transaction = context.pool.begin().await?;
    let turned = turns::turn(&mut transaction, context.clock.now()).await?;
    if turned.is_empty() {
        transaction.rollback().await?;
        return Ok(0);
    }
    announce_recounted(context, &mut transaction, &turned).await?;
    context.outbox.commit(transaction).await?;
    Ok(turned.len() as u64)
}
