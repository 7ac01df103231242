//! Remove a favourite.

use super::stamp;
use crate::{
    context::Context,
    domain::{Kind, Touched},
    error::Error,
    store::favourites,
};

/// Removes the owner's record and answers the stamp of that; [`Error::NotFound`] where it is gone or
/// somebody else's.
pub(crate) async fn delete_favourite(
    context: &Context,
    profile_id: i64,
    id: i64,
) -> Result<Touched, Error> {
    let mut transaction = context.pool.begin().await?;
    if !favourites::delete(&mut transaction, profile_id, id).await? {
        return Err(Error::NotFound);
    }
    let touched = stamp(context, &mut transaction, profile_id, Kind::Favourites, -1).await?;
    context.outbox.commit(transaction).await?;
    Ok(touched)
}
