//! What programs read of the site: `robots.txt`, sitemaps for search engines, and RSS. Made of what the
//! services answer, kept as public answers are, and without the texts of what is age-restricted.

mod robots;
mod rss;
mod sitemaps;

use axum::{Router, routing::get};
use cityguide_proto::{
    editorial::v1::{Item, Kind, ListItemsRequest},
    paging::v1::PageRequest,
};
use tonic::Status;

use crate::{catalogue::Catalogue, state::AppState};

/// Items that one call for a list may answer.
const MOST_AT_ONCE: u32 = 100;

pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/robots.txt", get(robots::robots))
        .route(sitemaps::INDEX, get(sitemaps::index))
        .route("/sitemaps/{file}", get(sitemaps::sitemap))
        .route("/rss.xml", get(rss::everything))
        .route("/{section}/rss.xml", get(rss::section))
}

/// The newest articles that anyone may read, at most so many; `change` narrows what is asked for.
async fn articles(
    catalogue: &Catalogue,
    most: usize,
    change: impl FnOnce(&mut ListItemsRequest),
) -> Result<Vec<Item>, Status> {
    let mut page = PageRequest {
        limit: MOST_AT_ONCE,
        ..PageRequest::default()
    };
    let mut request = ListItemsRequest {
        kind: Kind::Article.into(),
        ..ListItemsRequest::default()
    };
    change(&mut request);
    let mut found = Vec::new();
    loop {
        request.page = Some(page.clone());
        let call = catalogue.request(request.clone());
        let answer = catalogue.services.editorial().list_items(call).await?;
        let answer = answer.into_inner();
        let is_for_all = |item: &Item| !item.is_age_restricted;
        found.extend(answer.items.into_iter().filter(is_for_all));
        let next = answer.page.and_then(|info| info.next_after);
        match next.filter(|_| found.len() < most) {
            Some(after) => page.after = after,
            None => break,
        }
    }
    found.truncate(most);
    Ok(found)
}
