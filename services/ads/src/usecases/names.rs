//! The names of creatives.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{context::Context, domain::Names, store::campaigns};

/// The names of creatives; those that are not there have none.
pub(super) async fn named(
    context: &Context,
    ids: BTreeSet<i64>,
) -> Result<BTreeMap<i64, Arc<Names>>, sqlx::Error> {
    let mut names = context.held.names(&ids);
    let missing: Vec<i64> = ids
        .into_iter()
        .filter(|id| !names.contains_key(id))
        .collect();
    if !missing.is_empty() {
        let read = campaigns::names(&context.pool, &missing).await?;
        context.held.note_names(&read);
        names.extend(read);
    }
    Ok(names)
}
