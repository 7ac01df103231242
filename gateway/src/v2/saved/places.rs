//! Places in readers' lists.

use std::collections::HashMap;

use bookmarks_proto::v1::Bookmark;
use places_proto::v1::GetListingsRequest;

use super::answers::Kept;
use crate::{
    edge::{error::ApiError, session::Reader},
    state::AppState,
    v2::listing::Listing,
};

/// Returns the places of a page of bookmarks, in its order.
pub(super) async fn find(
    state: &AppState,
    reader: &Reader,
    bookmarks: &[Bookmark],
) -> Result<Vec<Kept<Listing>>, ApiError> {
    let ids = bookmarks.iter().map(|one| one.target_id).collect();
    let request = reader.call.request(GetListingsRequest { ids });
    let found = state.services.places().get_listings(request).await?;
    let found = found.into_inner().listings.into_iter();
    let mut found: HashMap<i64, _> = found.map(|listing| (listing.id, listing)).collect();
    let kept = bookmarks.iter().map(|bookmark| {
        let listing = found.remove(&bookmark.target_id);
        Kept::of_bookmark(bookmark, listing.map(|one| Listing::new(&state.site, one)))
    });
    Ok(kept.collect())
}
