//! The newest articles, for RSS and the news sitemap.

use cityguide_proto::paging::v1::PageRequest;
use editorial_proto::v1::{Item, Kind, ListItemsRequest};
use tonic::Status;

use crate::catalogue::Catalogue;

/// Maximum page size of services.
pub(super) const MAX_PAGE: u32 = 100;

/// Returns up to `limit` of the newest articles without an age restriction; `narrow` adds filters to the request.
pub(super) async fn newest(
    catalogue: &Catalogue,
    limit: usize,
    narrow: impl FnOnce(&mut ListItemsRequest),
) -> Result<Vec<Item>, Status> {
    let mut page = PageRequest {
        limit: MAX_PAGE,
        ..PageRequest::default()
    };
    let mut request = ListItemsRequest {
        kind: Kind::Article.into(),
        ..ListItemsRequest::default()
    };
    narrow(&mut request);
    let mut found = Vec::new();
    loop {
        request.page = Some(page.clone());
        let call = catalogue.request(request.clone());
        let answer = catalogue.services.editorial().list_items(call).await?;
        let answer = answer.into_inner();
        let is_for_all = |item: &Item| !item.is_age_restricted;
        found.extend(answer.items.into_iter().filter(is_for_all));
        let next = answer.page.and_then(|info| info.next_after);
        match next.filter(|_| found.len() < limit) {
            Some(after) => page.after = after,
            None => break,
        }
    }
    found.truncate(limit);
    Ok(found)
}
