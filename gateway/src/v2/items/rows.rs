//! Short rows of articles and events on the pages of places and neighbourhoods.

use chrono::{DateTime, Utc};
use cityguide_proto::paging::v1::PageRequest;
use editorial_proto::v1::ListItemsRequest;
use tonic::Status;

use super::{articles::Article, events::Event, resource::ItemResource};
use crate::catalogue::Catalogue;

/// Items that the response of another object contains.
#[derive(Debug)]
pub(crate) struct Row<T> {
    pub(crate) items: Vec<T>,
    /// When the items change by themselves.
    pub(crate) until: Option<DateTime<Utc>>,
}

impl<T> Row<T> {
    fn empty() -> Self {
        Self {
            items: Vec::new(),
            until: None,
        }
    }
}

/// Returns the newest articles that `narrow` selects; none if the site has no articles.
pub(crate) async fn articles(
    catalogue: &Catalogue,
    limit: u32,
    narrow: impl FnOnce(&mut ListItemsRequest),
) -> Result<Row<Article>, Status> {
    row(catalogue, "articles", ("-date_published", limit), narrow).await
}

/// Returns the next events that `narrow` selects; none if the site has no events.
pub(crate) async fn events(
    catalogue: &Catalogue,
    limit: u32,
    narrow: impl FnOnce(&mut ListItemsRequest),
) -> Result<Row<Event>, Status> {
    row(catalogue, "events", ("date_starts", limit), narrow).await
}

async fn row<T: ItemResource>(
    catalogue: &Catalogue,
    section: &str,
    (ordering, limit): (&str, u32),
    narrow: impl FnOnce(&mut ListItemsRequest),
) -> Result<Row<T>, Status> {
    if !catalogue.site.has(section) {
        return Ok(Row::empty());
    }
    let mut request = ListItemsRequest {
        page: Some(PageRequest {
            ordering: ordering.to_owned(),
            limit,
            ..PageRequest::default()
        }),
        kind: T::KIND.into(),
        ..ListItemsRequest::default()
    };
    narrow(&mut request);
    let call = catalogue.request(request.clone());
    let found = catalogue.services.editorial().list_items(call).await?;
    let (site, year) = (&catalogue.site, catalogue.this_year());
    let found = found.into_inner().items.into_iter();
    let mut items: Vec<T> = found
        .map(|item| T::listed(site, &year, item, &request))
        .collect();
    let now = catalogue.clock.now();
    let until = items.iter_mut().filter_map(|item| item.date(site, now));
    let until = until.min();
    Ok(Row { items, until })
}
