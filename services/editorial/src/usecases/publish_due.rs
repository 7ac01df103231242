//! Publish and unpublish due items.

use chassis::error::Fault;
use std::collections::BTreeSet;

use super::announce;
use crate::{
    context::Context,
    domain::Kind,
    store::{counts, turns},
};

/// Publishes or unpublishes the due items, recounts their lists and announces them; returns how many there
/// were.
pub(crate) async fn publish_due(context: &Context) -> Result<u64, Fault> {
    let mut transaction = context.pool.begin().await?;
    let turned = turns::turn(&mut transaction, context.clock.now()).await?;
    if turned.is_empty() {
        transaction.rollback().await?;
        return Ok(0);
    }
    let kinds: BTreeSet<Kind> = turned
        .iter()
        .filter_map(|told| Kind::parse(&told.kind))
        .collect();
    for kind in kinds {
        counts::recount(&mut transaction, kind).await?;
    }
    announce(context, &mut transaction, &turned).await?;
    context.outbox.commit(transaction).await?;
    Ok(turned.len() as u64)
}
