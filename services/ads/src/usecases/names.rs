//! The names of creatives.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use sqlx::PgExecutor;

use crate::{domain::Names, loaded::Loaded, store::campaigns};

/// The names of creatives; those that are not there have none. Those that are not held are read by the executor: within a
/// transaction its own connection, since a second one may have to wait for those that wait for the first.
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
