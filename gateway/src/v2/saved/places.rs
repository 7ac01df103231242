//! Places in readers' lists.

use std::collections::HashMap;

use cityguide_proto::{bookmarks::v1::Bookmark, places::v1::GetListingsRequest};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    edge::{error::ApiError, session::Reader},
    state::AppState,
    v2::listing::Listing,
};

/// A place in a reader's list; if it has been unpublished, only its name.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum KeptListing {
    /// A place with the fields of lists.
    Published(Box<Listing>),
    /// A place that has been unpublished.
    Unpublished { id: i64, name: String },
}

impl KeptListing {
    pub(super) fn is_available(&self) -> bool {
        matches!(self, Self::Published(_))
    }
}

/// The places of a page of bookmarks, in its order.
pub(super) async fn find(
    state: &AppState,
    reader: &Reader,
    bookmarks: &[Bookmark],
) -> Result<Vec<KeptListing>, ApiError> {
    let ids = bookmarks
        .iter()
        .map(|bookmark| bookmark.target_id)
        .collect();
    let request = reader.call.request(GetListingsRequest { ids });
    let found = state.services.places().get_listings(request).await?;
    let found = found.into_inner().listings.into_iter();
    let mut found: HashMap<i64, _> = found.map(|listing| (listing.id, listing)).collect();
    let kept = bookmarks
        .iter()
        .map(|bookmark| match found.remove(&bookmark.target_id) {
            Some(listing) => KeptListing::Published(Box::new(Listing::new(&state.site, listing))),
            None => KeptListing::Unpublished {
                id: bookmark.target_id,
                name: bookmark.target_name.clone(),
            },
        });
    Ok(kept.collect())
}
