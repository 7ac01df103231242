//! Tell anew what others keep of places, to whoever has lost events.

use super::{announce, summary};
use crate::{context::Context, error::Error, store::listings};

/// Places told in one transaction.
const AT_ONCE: i64 = 1000;

/// Appends events that tell of every place; answers of how many. Consumers keep the greater version, so
/// that telling twice does no harm.
pub(crate) async fn retell_listings(context: &Context) -> Result<u64, Error> {
    let (mut after, mut told) = (0, 0);
    loop {
        let page = listings::summaries(&context.pool, after, AT_ONCE).await?;
        let Some(last) = page.last() else {
            return Ok(told);
        };
        after = last.id;
        told += page.len() as u64;
        let page: Vec<_> = page.into_iter().map(summary).collect();
        let mut transaction = context.pool.begin().await?;
        announce(context, &mut transaction, &page).await?;
        context.outbox.commit(transaction).await?;
    }
}
