//! Reads the log in the order of its chain.

use std::collections::{BTreeMap, BTreeSet};

use ad_delivery::{LogKey, LoggedBatch, LoggedEvent};

use super::judge::judge_waiting;
use crate::{
    context::Context,
    error::Error,
    store::{batches, events, log_keys},
};

/// The number of batches read at a time: at most about ten thousand events.
const READ: i64 = 100;

/// The next batches after a position; empty at the end.
pub(crate) async fn batches_after(
    context: &Context,
    position: i64,
) -> Result<Vec<LoggedBatch>, Error> {
    let found = batches::after(&context.pool, position, READ).await?;
    let kept = found.iter().filter(|batch| !batch.is_emptied);
    let ids: Vec<i64> = kept.clone().map(|batch| batch.id).collect();
    let days: BTreeSet<_> = kept.flat_map(|batch| batch.days.iter().copied()).collect();
    let days: Vec<_> = days.into_iter().collect();
    let mut by_batch: BTreeMap<i64, Vec<LoggedEvent>> = BTreeMap::new();
    for (id, event) in events::of_batches(&context.pool, (&days, &ids)).await? {
        by_batch.entry(id).or_default().push(event);
    }
    let batches = found.into_iter().map(|batch| LoggedBatch {
        position: batch.position,
        events_digest: batch.digest.try_into().unwrap_or_default(),
        signature: batch.signature,
        events: by_batch.remove(&batch.id).unwrap_or_default(),
        is_emptied: batch.is_emptied,
    });
    Ok(batches.collect())
}

/// The keys that have signed the log, in the order of their positions. Includes everything stored before the call.
pub(crate) async fn log_keys(context: &Context) -> Result<Vec<LogKey>, Error> {
    judge_waiting(context).await?;
    Ok(log_keys::all(&context.pool).await?)
}
