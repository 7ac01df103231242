//! Loads the names of creatives.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use sqlx::PgExecutor;

use crate::{domain::Names, loaded::Loaded, store::campaigns};

/// The names of the creatives that exist. Names that are not cached are read by `executor`: within a transaction, it
/// must be the transaction's connection, because waiting for a second connection could deadlock with callers that wait
/// for the transaction.
pub(super) async fn named(
    loaded: &Loaded,
    executor: impl PgExecutor<'_>,
    ids: BTreeSet<i64>,
) -> Result<BTreeMap<i64, Arc<Names>>, sqlx::Error> {
    let mut names = loaded.names(&ids);
    let missing: Vec<i64> = ids
        .into_iter()
        .filter(|id| !names.contains_key(id))
        .collect();
    if !missing.is_empty() {
        let read = campaigns::names(executor, &missing).await?;
        loaded.note_names(&read);
        names.extend(read);
    }
    Ok(names)
}
