//! Event consumers, one per file.

mod items_changed;
mod listings_changed;

use chassis::{bus::Message, error::Fault, postgres};
use cityguide_proto::exchange;

pub(crate) use items_changed::ItemsChangedConsumer;
pub(crate) use listings_changed::ListingsChangedConsumer;

use crate::{context::Context, domain::Target, store::targets};

/// Stores the targets in an event, once per event.
async fn keep(
    context: &Context,
    queue: &str,
    message: &Message,
    changed: impl Iterator<Item = Target>,
) -> Result<(), Fault> {
    let mut transaction = context.pool.begin().await?;
    let now = context.clock.now();
    if postgres::first_time(&mut transaction, queue, message.id, now).await? {
        let changed: Vec<_> = changed.collect();
        targets::keep(&mut transaction, &changed).await?;
        transaction.commit().await?;
    }
    Ok(())
}

/// Requests a replay of the catalogue from its owners after a queue was lost.
async fn request_replay(context: &Context, queue: &str) -> Result<(), Fault> {
    let Context { pool, outbox, .. } = context;
    postgres::request_replay(pool, outbox, queue, exchange::CATALOG).await
}
