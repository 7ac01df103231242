//! The list of a reader's favourites.

use chassis::paging::Page;
use cityguide_proto::paging::v1::{PageInfo, PageRequest};

use crate::{
    context::Context,
    domain::{Favourite, Kind},
    error::Error,
    store::{favourites, stamps},
};

/// One page; the count is exact but for a keyword search.
pub(crate) async fn list_favourites(
    context: &Context,
    profile_id: i64,
    request: Option<&PageRequest>,
) -> Result<(Vec<Favourite>, PageInfo), Error> {
    let page = Page::parse(request, favourites::ORDERINGS)?.with_key(favourites::is_key)?;
    let count = if page.keywords.is_some() {
        -1
    } else {
        stamps::find(&context.pool, profile_id, Kind::Favourites)
            .await?
            .map_or(0, |stamp| stamp.count)
    };
    let rows = favourites::list(&context.pool, profile_id, &page).await?;
    Ok(page.finish(rows, count, |last| favourites::cursor(&page, last)))
}
