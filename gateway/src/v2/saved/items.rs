//! Editorial items in readers' lists.

use std::collections::HashMap;

use bookmarks_proto::v1::Bookmark;
use editorial_proto::v1::GetItemsRequest;

use super::answers::Kept;
use crate::{
    edge::{error::ApiError, session::Reader},
    state::AppState,
    v2::items::resource::ItemResource,
    words::this_year::ThisYear,
};

/// Returns the items of a page of bookmarks, in its order.
pub(super) async fn find<T: ItemResource>(
    state: &AppState,
    reader: &Reader,
    bookmarks: &[Bookmark],
) -> Result<Vec<Kept<T>>, ApiError> {
    let request = reader.call.request(GetItemsRequest {
        kind: T::KIND.into(),
        ids: bookmarks.iter().map(|one| one.target_id).collect(),
    });
    let found = state.services.editorial().get_items(request).await?;
    let found = found.into_inner().items.into_iter();
    let mut found: HashMap<i64, _> = found.map(|item| (item.id, item)).collect();
    let year = ThisYear::new(state.clock.now(), state.site.timezone);
    let kept = bookmarks.iter().map(|bookmark| {
        let item = found.remove(&bookmark.target_id);
        Kept::of_bookmark(
            bookmark,
            item.map(|one| T::new(&state.site, &year, one, None)),
        )
    });
    Ok(kept.collect())
}
