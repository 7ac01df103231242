//! When a reader's things last changed: one read by primary key, right whatever the broker does.

use crate::{context::Context, domain::Stamp, error::Error};

/// Every kind that ever changed.
pub(crate) async fn read_stamps(context: &Context, profile_id: i64) -> Result<Vec<Stamp>, Error> {
    Ok(context.stamps.get(profile_id).await?)
}
