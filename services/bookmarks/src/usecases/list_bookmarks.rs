//! The list of a reader's bookmarks of one kind.

use chassis::{paging::Page, saved::Kind};
use cityguide_proto::paging::v1::{PageInfo, PageRequest};

use crate::{
    context::Context,
    domain::{Bookmark, TargetKind},
    error::Error,
    store::bookmarks,
};

/// One page; the count is exact except in a keyword search.
pub(crate) async fn list_bookmarks(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    request: Option<&PageRequest>,
) -> Result<(Vec<Bookmark>, PageInfo), Error> {
    let target = TargetKind::of_bookmark(kind).ok_or(Error::UnknownKind)?;
    let page = Page::parse(request, bookmarks::ORDERINGS)?.with_key(bookmarks::key_type)?;
    let count = if page.keywords.is_some() {
        -1
    } else {
        let stamp = context.stamps.find(profile_id, kind).await?;
        stamp.map_or(0, |stamp| stamp.count)
    };
    let rows = bookmarks::list(&context.pool, profile_id, kind, target, &page).await?;
    Ok(page.finish(rows, count, |last| bookmarks::cursor(&page, last)))
}
