//! Erases all items that a reader has saved.

use chassis::{
    error::Fault,
    postgres::erased,
    readers::{Erasure, kind_name},
};
use cityguide_proto::readers::v1::EraseResponse;

use crate::{context::Context, store::readers};

/// The number of records deleted in one transaction.
const BATCH: i64 = 1_000;

/// Deletes the reader's records and stamps; returns the total that this erasure has deleted.
pub(crate) async fn erase_reader(
    context: &Context,
    erasure: &Erasure,
) -> Result<EraseResponse, Fault> {
    erased::begin(&context.pool, erasure.profile_id, context.clock.now()).await?;
    loop {
        let mut transaction = context.pool.begin().await?;
        let gone = readers::erase(&mut transaction, erasure.profile_id, BATCH).await?;
        let mut rows = 0;
        for (kind, count) in gone {
            let (id, now) = (erasure.id, context.clock.now());
            let deleted = count.unsigned_abs();
            erased::add(&mut transaction, id, &kind_name(&kind), deleted, now).await?;
            rows += count;
        }
        transaction.commit().await?;
        if rows < BATCH {
            break;
        }
    }
    context.stamps.erase(erasure).await?;
    Ok(erased::answer(&context.pool, erasure.id, Vec::new()).await?)
}
