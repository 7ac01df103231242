//! When a reader's things last changed: one read by primary key, right whatever the broker does.

use crate::{context::Context, domain::Stamp, error::Error, store::stamps};

/// Every kind that ever changed.
pub(crate) async fn read_stamps(context: &Context, profile_id: i64) -> Result<Vec<Stamp>, Error> {
    Ok(stamps::all(&context.pool, profile_id).await?)
}
