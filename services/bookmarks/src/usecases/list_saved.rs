//! Lists the items saved by many readers, for services that send mail to readers.

use chassis::error::Fault;
use vocabulary::saved::Kind;

use crate::{
    context::Context,
    domain::TargetKind,
    error::Error,
    store::bookmarks::{self, SavedByReader},
};

/// The maximum number of readers per call.
const MAX_READERS: usize = 100;
/// The maximum number of items per reader.
const MAX: i64 = 20;

/// The most recently saved items of a kind for each reader.
///
/// # Errors
/// `Invalid` for an unknown kind or too many readers.
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
