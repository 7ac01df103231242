//! The complete map from targets to records, for the bookmark buttons on every page.

use chrono::{DateTime, Utc};
use vocabulary::saved::Kind;

use crate::{
    context::Context,
    domain::{MapEntry, TargetKind},
    error::Error,
    store::bookmarks,
};

/// The entries, and the time up to which they include every change.
pub(crate) async fn map_bookmarks(
    context: &Context,
    profile_id: i64,
    kind: Kind,
) -> Result<(Vec<MapEntry>, DateTime<Utc>), Error> {
    TargetKind::of_bookmark(kind).ok_or(Error::UnknownKind)?;
    let settled = context.stamps.settled_already();
    let (entries, stamped_at) = bookmarks::map(&context.pool, profile_id, kind).await?;
    if let Some(stamped_at) = stamped_at {
        return Ok((entries, stamped_at.max(settled)));
    }
    // An empty map has no row to contain the stamp, which must be read before the map: see
    // [`chassis::postgres::stamps::Stamps::settled`].
    let as_of = context.stamps.settled(profile_id, kind).await?;
    let (entries, _) = bookmarks::map(&context.pool, profile_id, kind).await?;
    Ok((entries, as_of))
}
