//! Remove a bookmark.

use chassis::saved::{Kind, Touched};

use crate::{context::Context, error::Error, store::bookmarks};

/// Removes the owner's record and returns the stamp of the change; [`Error::NotFound`] if it does not exist,
/// is of another kind or somebody else's.
pub(crate) async fn delete_bookmark(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    id: i64,
) -> Result<Touched, Error> {
    let mut transaction = context.pool.begin().await?;
    let change = context.stamps.change(profile_id, kind, -1);
    let Some(removed) = bookmarks::delete(&mut transaction, &change, id).await? else {
        return Err(Error::NotFound);
    };
    let stamps = &context.stamps;
    stamps.announce(&mut transaction, &change, &removed).await?;
    context.outbox.commit(transaction).await?;
    Ok(removed.touched())
}
