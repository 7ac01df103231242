//! Deletes one of the reader's own photos.

use super::{commit, delete};
use crate::{context::Context, error::Error, store::photos};

/// Deletes the reader's photo; a durable job deletes its files.
pub(crate) async fn delete_photo(context: &Context, profile_id: i64, id: i64) -> Result<(), Error> {
    let mut transaction = context.pool.begin().await?;
    let locked = photos::lock(&mut transaction, id).await?;
    let own = locked.filter(|photo| photo.profile_id == profile_id);
    let own = own.ok_or(Error::NotFound)?;
    delete(context, &mut transaction, &own).await?;
    commit(context, transaction).await?;
    Ok(())
}
