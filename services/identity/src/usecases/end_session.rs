//! Sign out on another device.

use chassis::error::Fault;

use super::forget;
use crate::{context::Context, error::Error, store::sessions};

/// Ends one of the reader's sessions, at once on every replica.
pub(crate) async fn end_session(context: &Context, profile_id: i64, id: i64) -> Result<(), Error> {
    let ended = sessions::end(&context.pool, profile_id, id).await?;
    let ended = ended.ok_or_else(Fault::not_found)?;
    forget(context, &[ended]).await;
    Ok(())
}
