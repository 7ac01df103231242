//! Tell anew when readers' things last changed, to whoever has lost events.

use chrono::{DateTime, Utc};

use super::tell;
use crate::{context::Context, error::Error, store::stamps};

/// Stamps told in one transaction.
const AT_ONCE: i64 = 500;

/// Appends an event for every stamp since an instant, or for all; answers how many. Consumers keep the
/// greater instant, so that telling twice does no harm.
pub(crate) async fn retell_stamps(
    context: &Context,
    since: Option<DateTime<Utc>>,
) -> Result<u64, Error> {
    let since = since.unwrap_or(DateTime::UNIX_EPOCH);
    let mut after = (0, String::new());
    let mut told = 0;
    loop {
        let page = stamps::changed_since(&context.pool, since, &after, AT_ONCE).await?;
        let Some(last) = page.last() else {
            return Ok(told);
        };
        after = (last.profile_id, last.kind.clone());
        let mut transaction = context.pool.begin().await?;
        for stamp in &page {
            tell(
                context,
                &mut transaction,
                stamp.profile_id,
                &stamp.kind,
                stamp.at,
            )
            .await?;
        }
        context.outbox.commit(transaction).await?;
        told += page.len() as u64;
    }
}
