//! Signs the reader out on another device.

use chassis::error::Fault;

use super::{audit::record, forget};
use crate::{context::Context, domain::Act, error::Error, store::sessions};

/// Ends one of the reader's sessions, immediately on every replica.
pub(crate) async fn end_session(context: &Context, profile_id: i64, id: i64) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    // Locks the account before the session, in the same order as an erasure.
    record(context, &mut transaction, profile_id, Act::SessionEnded).await?;
    let ended = sessions::end(&mut transaction, profile_id, id).await?;
    let ended = ended.ok_or_else(Fault::not_found)?;
    transaction.commit().await?;
    forget(context, &[ended]).await;
    Ok(())
}
