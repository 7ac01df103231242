//! Removes a bookmark.

use chassis::postgres::stamps::Touched;
use vocabulary::saved::Kind;

use super::calendar::announce;
use crate::{context::Context, error::Error, store::bookmarks};

/// Removes the owner's record and returns the stamp of the change; [`Error::NotFound`] if it does not exist, has
/// another kind or belongs to another reader.
pub(crate) async fn delete_bookmark(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    id: i64,
) -> Result<Touched, Error> {
    let change = context.stamps.change(profile_id, kind, -1);
    let removed = if kind == Kind::EventBookmarks {
        let mut transaction = context.pool.begin().await?;
        let event = bookmarks::lock_in_calendar(&mut transaction, profile_id, id).await?;
        let removed = bookmarks::delete(&mut *transaction, &change, id).await?;
        if let Some(event) = event {
            announce(context, &mut transaction, profile_id, (id, event), false).await?;
        }
        transaction.commit().await?;
        removed
    } else {
        bookmarks::delete(&context.pool, &change, id).await?
    };
    let removed = removed.ok_or(Error::NotFound)?;
    context.outbox.wake();
    Ok(removed.touched())
}
