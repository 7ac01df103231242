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
    let change = context.stamps.change(profile_id, kind, -1);
    let Some(removed) = bookmarks::delete(&context.pool, &change, id).await? else {
        return Err(Error::NotFound);
    };
    context.outbox.wake();
    Ok(removed.touched())
}
