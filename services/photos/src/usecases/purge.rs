//! Deletes expired data: refused photos, the audit trail, and abandoned received files.

use chassis::error::Fault;
use chrono::TimeDelta;

use super::{commit, delete};
use crate::{
    context::Context,
    domain::Status,
    store::{decisions, photos},
};

/// The number of photos or files processed in one batch.
const BATCH: i64 = 100;
/// The age after which a received file that no photo needs counts as abandoned by a process that died.
const ABANDONED_AFTER: TimeDelta = TimeDelta::hours(1);

/// Deletes photos whose retention period after their refusal has ended; returns how many.
pub(crate) async fn purge_refused(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - context.keep_refused;
    let mut all = 0;
    loop {
        let ids = photos::refused_before(&context.pool, before, BATCH).await?;
        let is_last = ids.len().cast_signed() < isize::try_from(BATCH).unwrap_or(isize::MAX);
        for id in ids {
            let mut transaction = context.pool.begin().await?;
            let locked = photos::lock(&mut transaction, id).await?;
            if let Some(photo) = locked.filter(|photo| photo.status == Status::Refused) {
                delete(context, &mut transaction, &photo).await?;
                all += 1;
            }
            commit(context, transaction).await?;
        }
        if is_last {
            return Ok(all);
        }
    }
}

/// Deletes old entries of the audit trail; returns how many.
pub(crate) async fn purge_decisions(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - context.keep_decisions;
    decisions::delete_before(&context.pool, before).await
}

/// Deletes received files of processes that died; returns how many.
pub(crate) async fn purge_incoming(context: &Context) -> Result<u64, Fault> {
    let before = context.clock.now() - ABANDONED_AFTER;
    let limit = usize::try_from(BATCH).unwrap_or(usize::MAX);
    let mut all = context.blobs.forget_half_received(before).await?;
    loop {
        let old = context.blobs.old_incoming(before, limit).await?;
        let needed = photos::still_needed(&context.pool, &old).await?;
        let mut discarded = 0;
        for id in old.iter().filter(|id| !needed.contains(id)) {
            context.blobs.discard_incoming(*id).await?;
            discarded += 1;
        }
        all += discarded;
        // Stops if only files that are still needed remain, because they would be listed again.
        if old.len() < limit || discarded == 0 {
            return Ok(all);
        }
    }
}
