//! What many readers have saved, for services that write to them.

use chassis::error::Fault;
use vocabulary::saved::Kind;

use crate::{
    context::Context,
    domain::TargetKind,
    error::Error,
    store::bookmarks::{self, SavedByReader},
};

/// Readers of one call.
const MAX_READERS: usize = 100;
/// Things of one reader.
const MAX: i64 = 20;

/// The latest things of a kind of each reader.
///
/// # Errors
/// `Invalid` for an unknown kind, or for more readers than one call takes.
pub(crate) async fn list_saved(
    context: &Context,
    kind: Kind,
    readers: &[i64],
) -> Result<Vec<SavedByReader>, Error> {
    let target = TargetKind::of_bookmark(kind).ok_or(Error::UnknownKind)?;
    if readers.len() > MAX_READERS {
        let why = "At most 100 readers in a call.";
        return Err(Fault::invalid_field("reader_ids", why).into());
    }
    Ok(bookmarks::latest_of(&context.pool, (kind, target), readers, MAX).await?)
}
