//! Marks a to-do as done or not done.

use vocabulary::saved::Kind;

use super::create_bookmark::{TRIES, changes_too_quickly, saved, unchanged};
use crate::{context::Context, domain::Saved, error::Error, store::bookmarks};

/// Marks the owner's to-do; [`Error::NotFound`] if it does not exist, has another kind or belongs to another reader. A
/// to-do already in that state returns the stamp of the last change.
pub(crate) async fn set_done(
    context: &Context,
    profile_id: i64,
    id: i64,
    is_done: bool,
) -> Result<Saved, Error> {
    for _ in 0..TRIES {
        let change = context.stamps.change(profile_id, Kind::Todos, 0);
        let changed = bookmarks::set_done(&context.pool, &change, id, is_done).await?;
        if changed.is_some() {
            context.outbox.wake();
        }
        let found = bookmarks::find_todo(&context.pool, profile_id, id).await?;
        let record = found.ok_or(Error::NotFound)?;
        if let Some(changed) = changed {
            let stamp = changed.touched();
            return Ok(Saved {
                is_done: Some(is_done),
                ..saved(record, stamp)
            });
        }
        if record.is_done == Some(is_done) {
            return unchanged(context, profile_id, Kind::Todos, record).await;
        }
    }
    Err(changes_too_quickly())
}
