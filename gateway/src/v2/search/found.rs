//! Search results in list format.

use std::collections::HashMap;

use chassis::paging::MAX_LIMIT;
use cityguide_proto::paging::v1::PageRequest;
use editorial_proto::v1::{self as proto, FoundKind, GetItemsRequest, Hit};
use places_proto::v1::{self as places, GetListingsRequest, ListBestOfRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    catalogue::Catalogue,
    edge::error::ApiError,
    v2::{
        best_of_lists::BestOfList,
        items::{articles::Article, events::Event, resource::ItemResource, videos::Video},
        listing::Listing,
        listings::ListedListing,
    },
};

/// A search result: the fields of its kind's lists, and its highlights.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Found {
    Listing(FoundListing),
    BestOfList(FoundBestOfList),
    Article(FoundArticle),
    Event(Box<FoundEvent>),
    Video(FoundVideo),
}

/// A place in the results.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FoundListing {
    #[serde(flatten)]
    pub(crate) listing: ListedListing,
    pub(crate) highlight: Highlight,
}

/// A best-of list in the results.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FoundBestOfList {
    #[serde(flatten)]
    pub(crate) list: BestOfList,
    pub(crate) highlight: Highlight,
}

/// An article in the results.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FoundArticle {
    #[serde(flatten)]
    pub(crate) article: Article,
    pub(crate) highlight: Highlight,
}

/// An event in the results.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FoundEvent {
    #[serde(flatten)]
    pub(crate) event: Event,
    pub(crate) highlight: Highlight,
}

/// A video in the results.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct FoundVideo {
    #[serde(flatten)]
    pub(crate) video: Video,
    pub(crate) highlight: Highlight,
}

/// The matching parts of a result.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
pub(crate) struct Highlight {
    /// The name, split into matching and other parts.
    name: Vec<Part>,
    /// A matching passage of the text, or its beginning; empty if the result is age-restricted.
    pub(crate) text: Vec<Part>,
}

/// A part of a text.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) is_match: bool,
}

impl Found {
    /// Returns the name of the result's category.
    pub(crate) fn category(&self) -> &'static str {
        match self {
            Self::Listing(_) => "places",
            Self::BestOfList(_) => "best-of",
            Self::Article(_) => "articles",
            Self::Event(_) => "events",
            Self::Video(_) => "videos",
        }
    }

    /// Removes the result's sentence if a passage of its text matches, and returns this passage; `None` for a place.
    pub(crate) fn replace_sentence(&mut self) -> Option<Vec<Part>> {
        let (sentence, highlight) = match self {
            Self::Listing(_) => return None,
            Self::BestOfList(one) => (&mut one.list.line, &mut one.highlight),
            Self::Article(one) => (&mut one.article.card.excerpt, &mut one.highlight),
            Self::Event(one) => (&mut one.event.card.excerpt, &mut one.highlight),
            Self::Video(one) => (&mut one.video.card.excerpt, &mut one.highlight),
        };
        if !highlight.text.iter().any(|part| part.is_match) {
            return None;
        }
        sentence.clear();
        Some(std::mem::take(&mut highlight.text))
    }
}

impl Highlight {
    fn new(hit: Hit) -> Self {
        Self {
            name: parts(hit.name),
            text: parts(hit.text),
        }
    }
}

fn parts(parts: Vec<proto::Part>) -> Vec<Part> {
    let parts = parts.into_iter();
    parts
        .map(|part| Part {
            text: part.text,
            is_match: part.matches,
        })
        .collect()
}

/// Fetches the objects of hits, in their order. Objects unpublished since they were indexed are omitted.
pub(super) async fn things(catalogue: &Catalogue, hits: Vec<Hit>) -> Result<Vec<Found>, ApiError> {
    let ids = |kind: FoundKind| -> Vec<i64> {
        let hits = hits.iter().filter(|hit| hit.kind() == kind);
        hits.map(|hit| hit.id).collect()
    };
    let (listings, lists, articles, events, videos) = tokio::try_join!(
        listings(catalogue, ids(FoundKind::Listing)),
        best_of_lists(catalogue, ids(FoundKind::BestOfList)),
        items::<Article>(catalogue, ids(FoundKind::Article)),
        items::<Event>(catalogue, ids(FoundKind::Event)),
        items::<Video>(catalogue, ids(FoundKind::Video)),
    )?;
    let (mut listings, mut lists) = (listings, lists);
    let (mut articles, mut events, mut videos) = (articles, events, videos);
    let site = &catalogue.site;
    let year = catalogue.this_year();
    let found = hits.into_iter().filter_map(|hit| {
        let id = hit.id;
        Some(match hit.kind() {
            FoundKind::Unspecified => return None,
            FoundKind::Listing => Found::Listing(FoundListing {
                listing: ListedListing {
                    listing: Listing::new(site, listings.remove(&id)?),
                    distance: hit.distance_metres,
                },
                highlight: Highlight::new(hit),
            }),
            FoundKind::BestOfList => Found::BestOfList(FoundBestOfList {
                list: BestOfList::new(site, &year, lists.remove(&id)?),
                highlight: Highlight::new(hit),
            }),
            FoundKind::Article => Found::Article(FoundArticle {
                article: articles.remove(&id)?,
                highlight: Highlight::new(hit),
            }),
            FoundKind::Event => Found::Event(Box::new(FoundEvent {
                event: events.remove(&id)?,
                highlight: Highlight::new(hit),
            })),
            FoundKind::Video => Found::Video(FoundVideo {
                video: videos.remove(&id)?,
                highlight: Highlight::new(hit),
            }),
        })
    });
    Ok(found.collect())
}

async fn listings(
    catalogue: &Catalogue,
    ids: Vec<i64>,
) -> Result<HashMap<i64, places::Listing>, ApiError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let request = catalogue.request(GetListingsRequest { ids });
    let found = catalogue.services.places().get_listings(request).await?;
    let found = found.into_inner().listings.into_iter();
    Ok(found.map(|listing| (listing.id, listing)).collect())
}

async fn best_of_lists(
    catalogue: &Catalogue,
    ids: Vec<i64>,
) -> Result<HashMap<i64, places::BestOfList>, ApiError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let page = PageRequest {
        limit: MAX_LIMIT,
        ..PageRequest::default()
    };
    let request = catalogue.request(ListBestOfRequest {
        page: Some(page),
        ids,
    });
    let found = catalogue.services.places().list_best_of(request).await?;
    let found = found.into_inner().lists.into_iter();
    Ok(found.map(|list| (list.id, list)).collect())
}

async fn items<T: ItemResource>(
    catalogue: &Catalogue,
    ids: Vec<i64>,
) -> Result<HashMap<i64, T>, ApiError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let request = catalogue.request(GetItemsRequest {
        kind: T::KIND.into(),
        ids,
    });
    let found = catalogue.services.editorial().get_items(request).await?;
    let found = found.into_inner().items.into_iter();
    let year = catalogue.this_year();
    Ok(found
        .map(|item| (item.id, T::new(&catalogue.site, &year, item, None)))
        .collect())
}
