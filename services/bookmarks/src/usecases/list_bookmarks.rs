//! Lists a reader's bookmarks of one kind.

use chassis::paging::Page;
use cityguide_proto::paging::v1::{PageInfo, PageRequest};
use vocabulary::saved::Kind;

use crate::{
    context::Context,
    domain::{Bookmark, TargetKind},
    error::Error,
    store::bookmarks::{self, Filter},
};

/// A page of the list; to-dos can be restricted to done or not done. The count is exact except in a keyword search.
pub(crate) async fn list_bookmarks(
    context: &Context,
    profile_id: i64,
    kind: Kind,
    is_done: Option<bool>,
    request: Option<&PageRequest>,
) -> Result<(Vec<Bookmark>, PageInfo), Error> {
    let target = TargetKind::of_bookmark(kind).ok_or(Error::UnknownKind)?;
    let page = Page::parse(request, bookmarks::ORDERINGS)?.with_key(bookmarks::key_type)?;
    let count = match (page.keywords.is_some(), is_done) {
        (true, _) => -1,
        (false, Some(is_done)) => bookmarks::count_done(&context.pool, profile_id, is_done).await?,
        (false, None) => {
            let stamp = context.stamps.find(profile_id, kind).await?;
            stamp.map_or(0, |stamp| stamp.count)
        }
    };
    let filter = Filter {
        profile_id,
        kind,
        target,
        is_done,
    };
    let rows = bookmarks::list(&context.pool, filter, &page).await?;
    Ok(page.finish(rows, count, |last| bookmarks::cursor(&page, last)))
}
