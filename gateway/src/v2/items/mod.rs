//! What the magazine publishes, one file a kind; here is what they share.

pub(crate) mod archives;
pub(crate) mod articles;
pub(crate) mod contests;
pub(crate) mod entries;
pub(crate) mod events;
pub(crate) mod gated;
pub(crate) mod pages;
pub(crate) mod videos;

use cityguide_proto::{
    editorial::v1::{
        GetItemRequest, Item, ItemDetail, Kind, ListItemsRequest, ListItemsResponse, Named,
    },
    paging::v1::PageRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::time;
use crate::{
    catalogue::Catalogue,
    edge::{error::ApiError, params::Params},
};

/// Something with a slug to filter by, and its name.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct NamedSlug {
    pub(crate) slug: String,
    pub(crate) name: String,
}

/// What a card of any kind shows.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Card {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Its page.
    pub(crate) share_url: String,
    /// Absent, as the excerpt is, where the item is age-restricted.
    pub(crate) image_url: Option<String>,
    pub(crate) excerpt: String,
    pub(crate) is_age_restricted: bool,
    /// When it was published.
    #[schema(format = DateTime)]
    pub(crate) date_created: Option<String>,
    #[schema(format = DateTime)]
    pub(crate) date_published: Option<String>,
    pub(crate) authors: Vec<NamedSlug>,
    pub(crate) tags: Vec<NamedSlug>,
}

impl From<Item> for Card {
    fn from(item: Item) -> Self {
        let published = time::text(item.date_published.as_ref());
        Self {
            id: item.id,
            name: item.name,
            share_url: item.path,
            image_url: item.image_url,
            excerpt: item.excerpt,
            is_age_restricted: item.is_age_restricted,
            date_created: published.clone(),
            date_published: published,
            authors: item.authors.into_iter().map(NamedSlug::from).collect(),
            tags: item.tags.into_iter().map(NamedSlug::from).collect(),
        }
    }
}

impl From<Named> for NamedSlug {
    fn from(named: Named) -> Self {
        Self {
            slug: named.slug,
            name: named.name,
        }
    }
}

/// A request for a list of a kind, from the query's own filters; `change` adds the kind's.
async fn list(
    catalogue: &Catalogue,
    params: &Params,
    kind: Kind,
    change: impl FnOnce(&mut ListItemsRequest) -> Result<(), ApiError>,
) -> Result<(ListItemsResponse, PageRequest), ApiError> {
    let page = params.page()?;
    let mut request = ListItemsRequest {
        page: Some(page.clone()),
        kind: kind.into(),
        ids: params.ids("ids")?,
        ..ListItemsRequest::default()
    };
    change(&mut request)?;
    let request = catalogue.request(request);
    let answer = catalogue.services.editorial().list_items(request).await?;
    Ok((answer.into_inner(), page))
}

/// One item; what is age-restricted only where its reader has said to be of age.
async fn get(
    catalogue: &Catalogue,
    kind: Kind,
    id: i64,
    of_age: bool,
) -> Result<ItemDetail, ApiError> {
    let request = GetItemRequest {
        kind: kind.into(),
        id,
        of_age,
    };
    let request = catalogue.request(request);
    Ok(catalogue
        .services
        .editorial()
        .get_item(request)
        .await?
        .into_inner())
}
