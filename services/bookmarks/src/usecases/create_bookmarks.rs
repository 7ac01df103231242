//! Saves several targets in one change.

use std::collections::BTreeSet;

use chassis::error::Fault;
use chassis::postgres::stamps::Touched;
use vocabulary::saved::Kind;

use super::learn::learn;
use crate::{
    context::Context,
    domain::TargetKind,
    error::Error,
    store::{
        bookmarks::{self, Options},
        targets,
    },
};

/// The maximum number of targets per call.
const MAX: usize = 2_000;

/// The outcome for several targets.
#[derive(Debug)]
pub(crate) struct SavedAll {
    pub(crate) created: usize,
    /// The number of targets that were already saved.
    pub(crate) existing: usize,
    /// The targets that do not exist or are not published.
    pub(crate) unknown: Vec<i64>,
    /// The kind's last change, including this one, and the previous change; if this call changed nothing, both are the
    /// last change; `None` if there never was a change.
    pub(crate) stamp: Option<Touched>,
}

/// Creates the missing records: all of them, or none if the call fails.
pub(crate) async fn create_bookmarks(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    target_ids: &[i64],
) -> Result<SavedAll, Error> {
    let target = TargetKind::of_bookmark(kind).ok_or(Error::UnknownKind)?;
    let wanted: BTreeSet<i64> = target_ids.iter().copied().collect();
    if target_ids.is_empty() || target_ids.len() > MAX {
        let message = format!("Ensure 1 to {MAX} ids.");
        return Err(Fault::invalid_field("target_ids", message).into());
    }
    let ids: Vec<i64> = wanted.iter().copied().collect();
    let known = targets::known(&context.pool, target, &ids).await?;
    let known: BTreeSet<i64> = known.into_iter().collect();
    let unheard: Vec<i64> = wanted.difference(&known).copied().collect();
    learn(context, target, &unheard).await?;

    let mut change = context.stamps.change(profile_id, kind, 0);
    let options = Options::of_new(kind, false);
    let mut transaction = context.pool.begin().await?;
    let created = bookmarks::insert_all(&mut transaction, &change, target, &ids, options).await?;
    let stamp = if created > 0 {
        change.delta = i64::try_from(created).unwrap_or(i64::MAX);
        let stamped = bookmarks::stamp(&mut transaction, &change).await?;
        context.outbox.commit(transaction).await?;
        Some(stamped.touched())
    } else {
        transaction.rollback().await?;
        let stamp = context.stamps.find(profile_id, kind).await?;
        stamp.map(|stamp| Touched {
            at: stamp.at,
            previous: Some(stamp.at),
        })
    };

    let saved = bookmarks::among(&context.pool, profile_id, kind, &ids).await?;
    let saved: BTreeSet<i64> = saved.into_iter().collect();
    let created = usize::try_from(created).unwrap_or(usize::MAX);
    Ok(SavedAll {
        created,
        existing: saved.len().saturating_sub(created),
        unknown: wanted.difference(&saved).copied().collect(),
        stamp,
    })
}
